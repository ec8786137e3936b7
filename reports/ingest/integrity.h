// SPDX-License-Identifier: Apache-2.0
// The five checks a profile must pass before its numbers are believed. Pure functions: a figure
// and, when its limit is broken, the breach in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace reports::ingest {

// (a) kernel time whose outermost range is no phase, over all kernel time.
inline constexpr double unattributed_limit = 0.005;
// (b) kernel time outside its phase's window, over the phase's kernel time.
inline constexpr double outside_limit = 0.005;
inline constexpr std::int64_t window_slack_ns = 20'000;  // the window is widened by this, each side
// (c) records expected and seen must be equal.
// (d) |gap - sum of its classes|, over wall.
inline constexpr double gap_residual_limit = 0.01;
// (e) |engine's timer - range|, over the engine's timer, beyond a fixed slack.
inline constexpr double timer_limit = 0.01;
inline constexpr std::int64_t timer_slack_ns = 20'000;

using Breach = std::optional<std::string>;  // nullopt: passed

// Phase and rep, for messages.
struct Where {
    std::string phase;
    int rep = 0;
};

Breach check_unattributed(std::int64_t kernel_ns, std::int64_t unattributed_ns);
Breach check_outside(const Where& where, std::int64_t sum_ns, std::int64_t outside_ns);
Breach check_records(const Where& where, std::int64_t expected, std::int64_t seen);
Breach check_gap(const Where& where,
                 std::int64_t wall_ns,
                 std::int64_t gap_ns,
                 std::int64_t classes_ns);
Breach check_timer(const Where& where, std::int64_t timer_ns, std::int64_t range_ns);

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
// From the two values of each round to one number per round: how much worse B is than A.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/records/run.h"

namespace reports::stats {

// A metric's values in one round; nullopt: that arm has none.
struct PairedRound {
    int round = 0;
    std::optional<double> a, b;
};

enum class Scale : std::uint8_t {
    log_ratio,      // ln(B/A): every value is finite and > 0
    difference,     // B - A: every value is finite, one is 0 or negative
    reported_only,  // a value or a difference is not finite: no statistic
};

struct LeftOut {
    int round = 0;
    std::string reason;
};

struct PairedSample {
    Scale scale = Scale::log_ratio;
    // Per round kept; positive is worse (for direction `higher` turned round; for `exact` and
    // `none` as it is). Swapping A and B negates each bit for bit; equal quotients are equal
    // numbers.
    std::vector<double> worse;
    std::vector<std::size_t> kept;  // its index into the rounds given
    std::vector<LeftOut> left_out;  // rounds without a pair, and why
    std::string reason;             // why the scale is not log_ratio: round, arm, value
};

PairedSample paired_sample(std::span<const PairedRound> rounds, Direction direction);

// The change a gate tolerates. `share` 0.02 is 2 %; `absolute` in the metric's unit.
struct Margin {
    std::optional<double> share, absolute;
};

// On the sample's scale: ln(1 + share), or the absolute one. nullopt: none fits the scale, so there
// is no verdict.
std::optional<double> margin_on(Scale scale, const Margin& margin);

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// Limits of DESIGN's integrity list, each with its own message.
#include "reports/ingest/integrity.h"

#include <fmt/format.h>

#include <cstdlib>

namespace reports::ingest {
namespace {

// part / whole; without a whole any part is too much.
double share(std::int64_t part, std::int64_t whole) {
    if (whole > 0) return static_cast<double>(part) / static_cast<double>(whole);
    return part == 0 ? 0 : 1;
}

std::string place(const Where& where) {
    return fmt::format("{} rep {}", where.phase, where.rep);
}

}  // namespace

Breach check_unattributed(std::int64_t kernel_ns, std::int64_t unattributed_ns) {
    const double seen = share(unattributed_ns, kernel_ns);
    if (seen <= unattributed_limit) return std::nullopt;
    return fmt::format(
        "(a) {:.2f} % of the kernel time belongs to no phase (limit {:.2f} %): kernels ran outside "
        "of any phase range",
        100 * seen, 100 * unattributed_limit);
}

Breach check_outside(const Where& where, std::int64_t sum_ns, std::int64_t outside_ns) {
    const double seen = share(outside_ns, sum_ns);
    if (seen <= outside_limit) return std::nullopt;
    return fmt::format(
        "(b) {}: {:.2f} % of the kernel time lies outside the phase's window (limit {:.2f} %): "
        "stamps are shifted, or a kernel was not waited for",
        place(where), 100 * seen, 100 * outside_limit);
}

Breach check_records(const Where& where, std::int64_t expected, std::int64_t seen) {
    if (expected == seen) return std::nullopt;
    return fmt::format(
        "(c) {}: {} kernels expected, {} in the capture (must be equal): {}", place(where),
        expected, seen,
        seen < expected ? "records were lost" : "something ran that was not counted");
}

Breach check_gap(const Where& where,
                 std::int64_t wall_ns,
                 std::int64_t gap_ns,
                 std::int64_t classes_ns) {
    const double seen = share(std::abs(gap_ns - classes_ns), wall_ns);
    if (seen <= gap_residual_limit) return std::nullopt;
    return fmt::format(
        "(d) {}: the gap of {} ns and its classes of {} ns differ by {:.2f} % of the wall time "
        "(limit {:.2f} %): stamps are missing or wrong",
        place(where), gap_ns, classes_ns, 100 * seen, 100 * gap_residual_limit);
}

Breach check_timer(const Where& where, std::int64_t timer_ns, std::int64_t range_ns) {
    const std::int64_t difference = std::abs(timer_ns - range_ns);
    const double limit = timer_limit * static_cast<double>(timer_ns) + timer_slack_ns;
    if (static_cast<double>(difference) <= limit) return std::nullopt;
    return fmt::format(
        "(e) {}: the process's timer says {} ns, its range {} ns; they differ by {} ns (limit {} % "
        "+ {} us)",
        place(where), timer_ns, range_ns, difference, 100 * timer_limit, timer_slack_ns / 1000);
}

}  // namespace reports::ingest

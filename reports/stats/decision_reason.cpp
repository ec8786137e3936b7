// SPDX-License-Identifier: Apache-2.0
// A decision in words.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "reports/stats/decision.h"

namespace reports::stats {
namespace {

// Log-scale values as the percentage they stand for.
std::string change(double value, Scale scale) {
    if (scale == Scale::log_ratio) return fmt::format("{:+.2f} %", 100 * std::expm1(value));
    return fmt::format("{:+.4g}", value);
}

std::string margin(double value, Scale scale) {
    return change(value, scale).substr(1);
}

std::string interval(const Interval& interval, Scale scale) {
    return fmt::format("[{}, {}] ({:.2f} %)", change(interval.lo, scale),
                       change(interval.hi, scale), 100 * interval.coverage);
}

std::string estimate(const Decision& decision, Scale scale) {
    return fmt::format("estimate {} of {} rounds", change(decision.estimate.value_or(0), scale),
                       decision.rounds);
}

std::string changed(const Decision& decision, Scale scale, const char* side, const char* word) {
    return fmt::format("{}, at least the margin of {} {}, and the interval {} lies {} 0",
                       estimate(decision, scale), margin(*decision.margin, scale), word,
                       interval(*decision.change, scale), side);
}

std::string undecided(const Decision& decision, Scale scale) {
    const auto& shown = decision.same ? decision.same : decision.change;
    return fmt::format(
        "{}; the interval {} reaches the margin of {}, and a change of that size is "
        "not certain: more rounds, or a larger margin",
        estimate(decision, scale), interval(*shown, scale), margin(*decision.margin, scale));
}

std::string plain(const Decision& decision, Scale scale) {
    switch (decision.why) {
        case Why::no_margin:
            return "no margin, so no verdict";
        case Why::no_rounds:
            return "no round has a value of both arms";
        case Why::no_interval:
            return fmt::format(
                "{} {} are too few for an interval at this level",
                decision.position_corrected ? decision.position->blocks : decision.rounds,
                decision.position_corrected ? "blocks" : "rounds");
        case Why::clearly_better:
            return changed(decision, scale, "below", "better");
        case Why::clearly_worse:
            return changed(decision, scale, "above", "worse");
        case Why::within_margin:
            return fmt::format("the interval {} of {} rounds ends below the margin of {}",
                               interval(*decision.same, scale), decision.rounds,
                               margin(*decision.margin, scale));
        case Why::undecided:
            return undecided(decision, scale);
        case Why::all_equal:
            return fmt::format("equal in all {} rounds", decision.rounds);
        case Why::not_equal:
            return fmt::format("must be equal, and differs first in round {}",
                               *decision.differing_round);
    }
    return {};
}

}  // namespace

std::string reason(const Decision& decision, Scale scale) {
    std::string text = plain(decision, scale);
    if (decision.position_corrected)
        text +=
            fmt::format("; running second costs {} [{}, {}], so the means of blocks decide",
                        change(decision.position->second_costs, scale),
                        change(decision.position->lo, scale), change(decision.position->hi, scale));
    return text;
}

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// The verdict on one metric, and the numbers that decided it.
//
// In this order: no interval at this n: inconclusive; improved: the interval lies below 0 and the
// estimate is at least a margin better; regressed: it lies above 0 and the estimate is at least a
// margin worse; same: its upper end is below the margin; else inconclusive. So P(regressed | no
// change) <= alpha and P(same | slower by the margin or more) <= alpha, and a change of exactly the
// margin stays inconclusive about half of the time.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reports/records/verdict.h"
#include "reports/stats/paired.h"
#include "reports/stats/position_effect.h"
#include "reports/stats/sequential_plan.h"
#include "reports/stats/walsh.h"

namespace reports::stats {

using reports::Verdict;

enum class Why : std::uint8_t {
    no_margin,    // no verdict
    no_rounds,    // nothing to compare
    no_interval,  // too few rounds for any look
    clearly_better,
    clearly_worse,
    within_margin,
    undecided,  // the interval reaches the margin, or a clear change is smaller than it
    all_equal,
    not_equal,  // `exact` metrics
};

struct Decision {
    std::optional<Verdict> verdict;  // nullopt: no margin
    Why why = Why::no_margin;
    std::optional<double> margin;    // on the sample's scale
    std::optional<double> estimate;  // Hodges-Lehmann, positive: B is worse
    std::optional<Interval> change;  // decides improved and regressed: at alpha / gated
    std::optional<Interval> same;    // decides same: at alpha
    int rounds = 0;                  // of them, used
    int look = 0;                    // from 1; 0: none reached
    int looks = 0;
    std::optional<PositionEffect> position;
    bool position_corrected = false;     // the means of blocks decided, which are free of it
    std::optional<int> differing_round;  // not_equal: the first

    // Nothing that further rounds could add: decided, or at the last look.
    bool final() const;
};

// Goes from look to look and stops at the first that decides; rounds after it are not read. Values
// must be finite (std::invalid_argument); margin > 0, nullopt: estimate and intervals only.
Decision decide(std::span<const OrderedRound> rounds,
                const Plans& plans,
                std::optional<double> margin);

// Sets why and verdict from margin, estimate and intervals, in the order above.
void judge(Decision& decision);

// Of unknown order: no position effect.
Decision decide(std::span<const double> worse, const Plans& plans, std::optional<double> margin);

// A metric of direction `exact`: every pair equal, or regressed. Rounds without a pair say nothing;
// a value that is not a number equals none.
Decision decide_exact(std::span<const PairedRound> rounds);

// The decision in one sentence, with its numbers.
std::string reason(const Decision& decision, Scale scale);

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// Two samples that were not measured side by side: how far one lies from the other.
//
// Hodges-Lehmann shift with the exact rank-sum interval (J. L. Hodges, E. L. Lehmann, Ann. Math.
// Statist. 34, 1963; H. B. Mann, D. R. Whitney, Ann. Math. Statist. 18, 1947). The interval uses
// the law without ties: with ties it covers at least as often. What came between the two samples
// (another clock, another neighbour) is in the shift: weaker than rounds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reports/stats/decision.h"

namespace reports::stats {

inline constexpr std::size_t most_samples = 100;  // of each side: the exact law stays cheap

// P(U = u), u = 0 .. m n: how many of the m n pairs have the first sample's value above the
// second's, when every order is as likely. m = 0 or n = 0: U is 0 for certain. More than
// most_samples: std::invalid_argument.
std::vector<double> rank_sum_law(std::size_t m, std::size_t n);

// All m n differences b_j - a_i, ascending; their median is the Hodges-Lehmann shift. Values must
// be finite (std::invalid_argument).
std::vector<double> shifts(std::span<const double> a, std::span<const double> b);

// b against a, both so that larger is worse, by the rule of decide(): a change of any of `gated`
// metrics shares alpha, "same" needs no correction. One look; margin > 0.
Decision decide_unpaired(std::span<const double> a,
                         std::span<const double> b,
                         int gated,
                         double margin,
                         double alpha = default_alpha);

}  // namespace reports::stats

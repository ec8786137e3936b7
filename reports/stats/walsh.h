// SPDX-License-Identifier: Apache-2.0
// Hodges-Lehmann estimate and the exact signed-rank interval, both from the Walsh averages
// (x_i + x_j) / 2, i <= j (J. L. Hodges, E. L. Lehmann, Ann. Math. Statist. 34, 1963).
//
// The interval keeps zeros and uses the law without ties: with ties it covers at least as often.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace reports::stats {

struct Interval {
    double lo = 0, hi = 0;
    double coverage = 0;  // exact, under symmetry about the true value
};

// All M = n(n+1)/2, ascending. Values must be finite and most_pairs at most
// (std::invalid_argument).
std::vector<double> walsh_averages(std::span<const double> values);

// Their median. No averages: nullopt.
std::optional<double> hodges_lehmann(const std::vector<double>& walsh);

// [W(c+1), W(M-c)], counted from 1; `tail` is P(T+ <= c), so the coverage is 1 - 2 tail.
// c < 0, or no average left: nullopt.
std::optional<Interval> walsh_interval(const std::vector<double>& walsh, int c, double tail);

// The narrowest interval symmetric in rank that covers with at least `level`; nullopt: none at this
// n (below 6 at 95 %).
std::optional<Interval> signed_rank_interval(std::span<const double> values, double level = 0.95);

}  // namespace reports::stats

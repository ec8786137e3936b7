// SPDX-License-Identifier: Apache-2.0
// When a comparison looks at its rounds, and how wide each look's interval is.
//
// alpha is the chance of a false alarm, one-sided each way, over all looks together. After n of
// n_max rounds alpha (n / n_max)^1.5 of it may have been spent. A look spends what is newly
// available on an exact signed-rank interval and hands on what the steps of the law leave over. The
// looks' errors add up at most (union bound): no joint law and no normality is assumed.
#pragma once

#include <vector>

namespace reports::stats {

inline constexpr double default_alpha = 0.025;
inline const std::vector<int> default_looks = {8, 12, 16, 24};

struct Look {
    int rounds = 0;      // valid rounds it needs
    int c = -1;          // interval W(c+1) .. W(M-c); -1: nothing can be said here
    double tail = 0;     // P(T+ <= c): what the look spends on each side
    double allowed = 0;  // cumulative: may be spent up to here

    // The same for the means of its rounds / 2 blocks, which decide when running second has a cost.
    // They spend no more than the rounds would, so that a mixture of both stays within alpha.
    int c_blocks = -1;
    double tail_blocks = 0;

    double coverage() const { return 1 - 2 * tail; }
};

struct SequentialPlan {
    double alpha = default_alpha;
    std::vector<Look> looks;

    int most_rounds() const { return looks.empty() ? 0 : looks.back().rounds; }
};

// `rounds` of the looks, ascending, 1 .. most_pairs; 0 < alpha < 0.5 (std::invalid_argument). One
// look is a fixed plan.
SequentialPlan sequential_plan(const std::vector<int>& rounds = default_looks,
                               double alpha = default_alpha);

// What a comparison of `gated` metrics decides with. A change of any of them is an alarm, so these
// share alpha; "same" needs all of them, so each may use the whole.
struct Plans {
    SequentialPlan change;  // improved, regressed: alpha / gated
    SequentialPlan same;    // alpha
    int gated = 1;
};

Plans plans_for(const std::vector<int>& rounds = default_looks,
                int gated = 1,
                double alpha = default_alpha);

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// Exact sign and signed-rank tests of "the values are as likely to lie above 0 as below".
//
// Both drop zeros and count them (Wilcoxon's treatment, not Pratt's). The signed-rank test gives
// equal magnitudes their mean rank and uses the law over all sign flips of exactly these ranks.
// Nothing but zeros, or nothing: every p is 1. Values that are not finite, and more than most_pairs
// of them: std::invalid_argument.
#pragma once

#include <span>
#include <vector>

namespace reports::stats {

struct TestResult {
    int n = 0;               // values other than 0
    int zeros = 0;           // dropped
    double statistic = 0;    // sign test: positive values; signed-rank test: T+
    bool ties = false;       // among the magnitudes (signed-rank test)
    double p_greater = 1;    // one-sided: a statistic at least as large
    double p_less = 1;       // one-sided: at least as small
    double p_two_sided = 1;  // twice the smaller one, at most 1
};

TestResult sign_test(std::span<const double> values);
TestResult signed_rank_test(std::span<const double> values);

// Twice the mean rank of each magnitude, in the order given: whole numbers also under ties.
std::vector<int> doubled_mid_ranks(std::span<const double> magnitudes);

void require_finite(std::span<const double> values);  // std::invalid_argument

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/differences.h"

#include "reports/stats/rank_tests.h"
#include "reports/stats/walsh.h"

namespace reports::compare {

Difference difference_of(const std::vector<double>& b_minus_a) {
    Difference out;
    if (b_minus_a.empty()) return out;
    out.estimate = *stats::hodges_lehmann(stats::walsh_averages(b_minus_a));
    if (const auto interval = stats::signed_rank_interval(b_minus_a))
        out.interval = ChangeInterval{interval->lo, interval->hi, interval->coverage};
    out.p = stats::signed_rank_test(b_minus_a).p_two_sided;
    return out;
}

}  // namespace reports::compare

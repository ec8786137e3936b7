// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/median_interval.h"

#include <algorithm>
#include <cstddef>

#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"

namespace reports::stats {

std::optional<MedianInterval> median_interval(std::vector<double> values, double level) {
    require_finite(values);
    const Tail tail = tail_within(coin_law(static_cast<int>(values.size())), (1 - level) / 2);
    const auto below = static_cast<std::size_t>(std::max(tail.c, 0));  // values cut off on a side
    if (tail.c < 0 || values.size() < 2 * below + 1) return std::nullopt;
    std::sort(values.begin(), values.end());
    return MedianInterval{.rank = tail.c + 1,
                          .lo = values[below],
                          .hi = values[values.size() - 1 - below],
                          .coverage = 1 - 2 * tail.p};
}

}  // namespace reports::stats

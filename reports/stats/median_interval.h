// SPDX-License-Identifier: Apache-2.0
// Distribution-free interval of a median from order statistics (W. R. Thompson, Ann. Math. Statist.
// 7, 1936): [x(k), x(n+1-k)] covers with 1 - 2 P(Bin(n, 1/2) <= k - 1).
#pragma once

#include <optional>
#include <vector>

namespace reports::stats {

struct MedianInterval {
    int rank = 0;  // k, from 1
    double lo = 0, hi = 0;
    double coverage = 0;
};

// The narrowest one symmetric in rank that covers with at least `level`; nullopt: none at this n
// (below 6 at 95 %). Values must be finite and most_pairs at most (std::invalid_argument).
std::optional<MedianInterval> median_interval(std::vector<double> values, double level = 0.95);

}  // namespace reports::stats

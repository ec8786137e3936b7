// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/false_discovery.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace reports::stats {

std::vector<double> benjamini_hochberg(const std::vector<double>& p) {
    if (!std::all_of(p.begin(), p.end(), [](double one) { return one >= 0 && one <= 1; }))
        throw std::invalid_argument("a p-value lies outside [0, 1]");
    std::vector<std::size_t> descending(p.size());
    std::iota(descending.begin(), descending.end(), std::size_t{0});
    std::sort(descending.begin(), descending.end(),
              [&](std::size_t i, std::size_t j) { return p[i] > p[j]; });
    std::vector<double> q(p.size());
    double least = 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const auto rank = static_cast<double>(p.size() - i);  // from the largest: m, m - 1, .. 1
        least = std::min(least, p[descending[i]] * static_cast<double>(p.size()) / rank);
        q[descending[i]] = least;
    }
    return q;
}

bool q_within_reach(int n, int m, double level) {
    return n >= 1 && m >= 1 && std::ldexp(1.0, 1 - n) <= level / m;
}

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// Exact convolution, in halves so that nothing overflows.
#include "reports/stats/signed_rank_law.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace reports::stats {

std::vector<double> sign_flip_law(std::span<const int> ranks) {
    if (ranks.size() > static_cast<std::size_t>(most_pairs))
        throw std::invalid_argument("more ranks than an exact law is made for");
    if (std::any_of(ranks.begin(), ranks.end(), [](int rank) { return rank <= 0; }))
        throw std::invalid_argument("a rank is not positive");
    std::vector<double> law{1};
    for (const int rank : ranks) {
        const auto shift = static_cast<std::size_t>(rank);
        std::vector<double> next(law.size() + shift);
        for (std::size_t t = 0; t < law.size(); ++t) next[t] = law[t] / 2;
        for (std::size_t t = 0; t < law.size(); ++t) next[t + shift] += law[t] / 2;
        law.swap(next);
    }
    return law;
}

std::vector<double> signed_rank_law(int n) {
    std::vector<int> ranks(static_cast<std::size_t>(std::max(n, 0)));
    std::iota(ranks.begin(), ranks.end(), 1);
    return sign_flip_law(ranks);
}

std::vector<double> coin_law(int n) {
    return sign_flip_law(std::vector<int>(static_cast<std::size_t>(std::max(n, 0)), 1));
}

double at_most(const std::vector<double>& law, int t) {
    const auto count = static_cast<std::size_t>(std::max(t + 1, 0));
    const auto end = law.begin() + static_cast<std::ptrdiff_t>(std::min(count, law.size()));
    return std::min(1.0, std::accumulate(law.begin(), end, 0.0));
}

Tail tail_within(const std::vector<double>& law, double level) {
    Tail tail;
    for (const double p : law) {
        if (tail.p + p > level) break;
        tail.p += p;
        ++tail.c;
    }
    return tail;
}

}  // namespace reports::stats

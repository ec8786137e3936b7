// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/walsh.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"

namespace reports::stats {

std::vector<double> walsh_averages(std::span<const double> values) {
    require_finite(values);
    if (values.size() > static_cast<std::size_t>(most_pairs))
        throw std::invalid_argument("more values than exact intervals are made for");
    std::vector<double> walsh;
    walsh.reserve(values.size() * (values.size() + 1) / 2);
    // Halved first: a sum of two large differences would overflow.
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) walsh.push_back(values[i] / 2 + values[j] / 2);
    std::sort(walsh.begin(), walsh.end());
    return walsh;
}

std::optional<double> hodges_lehmann(const std::vector<double>& walsh) {
    if (walsh.empty()) return std::nullopt;
    const std::size_t upper = walsh.size() / 2, lower = (walsh.size() - 1) / 2;
    return walsh[lower] / 2 + walsh[upper] / 2;
}

std::optional<Interval> walsh_interval(const std::vector<double>& walsh, int c, double tail) {
    const auto cut = static_cast<std::size_t>(std::max(c, 0));
    if (c < 0 || walsh.size() < 2 * cut + 1) return std::nullopt;
    return Interval{walsh[cut], walsh[walsh.size() - 1 - cut], 1 - 2 * tail};
}

std::optional<Interval> signed_rank_interval(std::span<const double> values, double level) {
    const auto walsh = walsh_averages(values);
    const Tail tail =
        tail_within(signed_rank_law(static_cast<int>(values.size())), (1 - level) / 2);
    return walsh_interval(walsh, tail.c, tail.p);
}

}  // namespace reports::stats

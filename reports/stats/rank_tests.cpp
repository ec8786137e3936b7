// SPDX-License-Identifier: Apache-2.0
// p-values by the exact laws.
#include "reports/stats/rank_tests.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "reports/stats/signed_rank_law.h"

namespace reports::stats {
namespace {

std::vector<double> without_zeros(std::span<const double> values) {
    require_finite(values);
    std::vector<double> out;
    std::copy_if(values.begin(), values.end(), std::back_inserter(out),
                 [](double value) { return value != 0; });
    return out;
}

// The law is symmetric: P(sum >= t) = P(sum <= total - t).
void fill_p(TestResult& result, const std::vector<double>& law, int t) {
    const int total = static_cast<int>(law.size()) - 1;
    result.p_less = at_most(law, t);
    result.p_greater = at_most(law, total - t);
    result.p_two_sided = std::min(1.0, 2 * std::min(result.p_less, result.p_greater));
}

}  // namespace

void require_finite(std::span<const double> values) {
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
        throw std::invalid_argument("a value is not finite");
}

std::vector<int> doubled_mid_ranks(std::span<const double> magnitudes) {
    std::vector<std::size_t> order(magnitudes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return magnitudes[i] < magnitudes[j]; });
    std::vector<int> ranks(order.size());
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        while (last < order.size() && magnitudes[order[last]] == magnitudes[order[first]]) ++last;
        // Ranks first + 1 .. last have the mean (first + 1 + last) / 2.
        for (std::size_t i = first; i < last; ++i)
            ranks[order[i]] = static_cast<int>(first + 1 + last);
    }
    return ranks;
}

TestResult sign_test(std::span<const double> values) {
    const auto kept = without_zeros(values);
    const auto positive =
        std::count_if(kept.begin(), kept.end(), [](double value) { return value > 0; });
    TestResult result{.n = static_cast<int>(kept.size()),
                      .zeros = static_cast<int>(values.size() - kept.size()),
                      .statistic = static_cast<double>(positive)};
    if (result.n > 0) fill_p(result, coin_law(result.n), static_cast<int>(positive));
    return result;
}

TestResult signed_rank_test(std::span<const double> values) {
    const auto kept = without_zeros(values);
    std::vector<double> magnitudes(kept.size());
    std::transform(kept.begin(), kept.end(), magnitudes.begin(),
                   [](double v) { return std::abs(v); });
    auto ranks = doubled_mid_ranks(magnitudes);
    int doubled_t = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] > 0) doubled_t += ranks[i];
    std::sort(magnitudes.begin(), magnitudes.end());
    TestResult result{
        .n = static_cast<int>(kept.size()),
        .zeros = static_cast<int>(values.size() - kept.size()),
        .statistic = doubled_t / 2.0,
        .ties = std::adjacent_find(magnitudes.begin(), magnitudes.end()) != magnitudes.end()};
    if (result.n == 0) return result;
    if (result.ties) {
        fill_p(result, sign_flip_law(ranks), doubled_t);
    } else {
        fill_p(result, signed_rank_law(result.n), doubled_t / 2);
    }
    return result;
}

}  // namespace reports::stats

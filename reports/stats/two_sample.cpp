// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/two_sample.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"

namespace reports::stats {
namespace {

// The law of (m, n) from those of (m - 1, n) and (m, n - 1): the largest value of all comes from
// the first sample with probability m / (m + n), and then lies above all n of the second.
std::vector<double> next_law(const std::vector<double>& without_first,
                             const std::vector<double>& without_second,
                             std::size_t m,
                             std::size_t n) {
    std::vector<double> law(m * n + 1);
    const double of_first = static_cast<double>(m) / static_cast<double>(m + n);
    for (std::size_t u = 0; u < without_first.size(); ++u)
        law[u + n] += of_first * without_first[u];
    for (std::size_t u = 0; u < without_second.size(); ++u)
        law[u] += (1 - of_first) * without_second[u];
    return law;
}

std::optional<Interval> interval_at(const std::vector<double>& sorted,
                                    const std::vector<double>& law,
                                    double level) {
    const Tail tail = tail_within(law, level);
    return walsh_interval(sorted, tail.c, tail.p);
}

}  // namespace

std::vector<double> rank_sum_law(std::size_t m, std::size_t n) {
    if (m > most_samples || n > most_samples)
        throw std::invalid_argument("more values than an exact rank-sum law is made for");
    // laws[j] is the law of (i, j) while i goes from 0 to m.
    std::vector<std::vector<double>> laws(n + 1, {1});
    for (std::size_t i = 1; i <= m; ++i) {
        laws[0] = {1};
        for (std::size_t j = 1; j <= n; ++j) laws[j] = next_law(laws[j], laws[j - 1], i, j);
    }
    return laws[n];
}

std::vector<double> shifts(std::span<const double> a, std::span<const double> b) {
    require_finite(a);
    require_finite(b);
    std::vector<double> out;
    out.reserve(a.size() * b.size());
    for (const double x : a)
        for (const double y : b) out.push_back(y - x);
    std::sort(out.begin(), out.end());
    return out;
}

Decision decide_unpaired(
    std::span<const double> a, std::span<const double> b, int gated, double margin, double alpha) {
    if (!(margin > 0)) throw std::invalid_argument("a margin must be above 0");
    const auto law = rank_sum_law(a.size(), b.size());
    const auto sorted = shifts(a, b);
    Decision out{.margin = margin,
                 .estimate = hodges_lehmann(sorted),
                 .change = interval_at(sorted, law, alpha / std::max(1, gated)),
                 .same = interval_at(sorted, law, alpha),
                 .rounds = static_cast<int>(std::min(a.size(), b.size())),
                 .look = 1,
                 .looks = 1};
    judge(out);
    return out;
}

}  // namespace reports::stats

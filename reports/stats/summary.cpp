// SPDX-License-Identifier: Apache-2.0
// Median and spread.
#include "reports/stats/summary.h"

#include <algorithm>
#include <cmath>

namespace reports::stats {

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    const double below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2;
}

Figure spread(const std::vector<double>& values) {
    if (values.empty()) return std::nullopt;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return Spread{.median = *median(values),
                  .min = *least,
                  .max = *most,
                  .n = static_cast<int>(values.size())};
}

std::optional<double> ratio(double a, double b) {
    if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
    return a / b;
}

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
#include "reports/render/plot_axis.h"

#include <algorithm>
#include <cmath>

namespace reports::render {

double PlotAxis::at(double value) const {
    return std::isnan(value) ? 0 : std::clamp((value - low) / (high - low), 0.0, 1.0);
}

bool PlotAxis::holds(double value) const {
    return value >= low && value <= high;
}

PlotAxis axis_over(const std::vector<double>& values, double least_span, PlotAxis most) {
    constexpr double air = 0.06;
    PlotAxis axis{most.high, most.low};
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        axis.low = std::min(axis.low, std::clamp(value, most.low, most.high));
        axis.high = std::max(axis.high, std::clamp(value, most.low, most.high));
    }
    if (axis.low > axis.high) axis.low = axis.high = (most.low + most.high) / 2;
    const double lacking = std::max(0.0, least_span - (axis.high - axis.low)) / 2;
    const double more = lacking + air * (axis.high - axis.low + 2 * lacking);
    return {axis.low - more, axis.high + more};
}

Ticks round_ticks(double low, double high, int most) {
    Ticks ticks;
    if (!(high > low) || most < 1 || !std::isfinite(low) || !std::isfinite(high)) return ticks;
    const auto count = [&](double step) { return std::floor(high / step) - std::ceil(low / step); };
    double power = std::pow(10, std::floor(std::log10((high - low) / most)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
        step = factor * power;
        if (count(step) + 1 <= most) break;
    }
    for (double i = std::ceil(low / step); i <= std::floor(high / step); ++i)
        ticks.values.push_back(i == 0 ? 0 : i * step);
    // The epsilon: 0.01 is a little more than its logarithm says.
    ticks.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    return ticks;
}

Ticks ratio_ticks(const PlotAxis& log_axis, int most) {
    return round_ticks(std::exp(log_axis.low), std::exp(log_axis.high), most);
}

}  // namespace reports::render

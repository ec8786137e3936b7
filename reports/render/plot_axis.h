// SPDX-License-Identifier: Apache-2.0
// An axis of a plot: where a value lies between its two ends, and where its ticks are.
#pragma once

#include <string>
#include <vector>

namespace reports::render {

struct PlotAxis {
    double low = 0, high = 1;  // low < high

    // From 0 to 1; what lies beyond an end is at the end, what is no number at the low one.
    double at(double value) const;

    bool holds(double value) const;  // the ends included
};

// Over all of these, with a little air at both ends. Values that are not finite are left out; an
// axis is never shorter than `least_span`, nor does it leave `most`.
PlotAxis axis_over(const std::vector<double>& values, double least_span, PlotAxis most);

// Round numbers within [low, high], at most `most` of them: 1, 2 or 5 times a power of ten apart.
struct Ticks {
    std::vector<double> values;
    int decimals = 0;  // that tell them apart
};

Ticks round_ticks(double low, double high, int most);

// Ratios on a logarithmic axis: the axis holds ln(ratio).
Ticks ratio_ticks(const PlotAxis& log_axis, int most);

}  // namespace reports::render

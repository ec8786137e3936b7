// SPDX-License-Identifier: Apache-2.0
// Small statistics of plain numbers. Pure functions; degenerate cases stated and tested.
#pragma once

#include <optional>
#include <vector>

#include "reports/records/report.h"

namespace reports::stats {

// Middle value, or the mean of the two middle ones. No values: nullopt. One value: that value.
std::optional<double> median(std::vector<double> values);

// Median with smallest and largest. No values: nullopt. One value or equal values: no spread, all
// three are the same.
Figure spread(const std::vector<double>& values);

// a / b, or nullopt when b is 0 or either is not finite.
std::optional<double> ratio(double a, double b);

}  // namespace reports::stats

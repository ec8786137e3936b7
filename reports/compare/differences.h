// SPDX-License-Identifier: Apache-2.0
// Estimate, interval and p of paired differences.
#pragma once

#include <optional>
#include <vector>

#include "reports/records/verdict.h"

namespace reports::compare {

struct Difference {
    double estimate = 0;                     // Hodges-Lehmann; 0 without values
    std::optional<ChangeInterval> interval;  // signed-rank, >= 95 %; null below 6 rounds
    std::optional<double> p;                 // signed-rank, two-sided; null without values
};

Difference difference_of(const std::vector<double>& b_minus_a);

}  // namespace reports::compare

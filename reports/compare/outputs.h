// SPDX-License-Identifier: Apache-2.0
// Counts of two arms: equal, or not.
#pragma once

#include <vector>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports::compare {

// A count is exact when every trial of both arms saw the same value in its arm.
std::vector<CountVerdict> compare_counts(const Report& a, const Report& b);

}  // namespace reports::compare

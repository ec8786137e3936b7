// SPDX-License-Identifier: Apache-2.0
// Tidy CSV (RFC 4180): one row per observation, the unit of every number in its column's name.
#pragma once

#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/render/comparison.h"

namespace reports::render {

// One row per arm, phase, path and kernel of the profiled phases, and per scored text; kernel
// "(gap)" is the time when none ran, so that total_ns of a phase (less its overlap) adds up to its
// wall time.
std::string report_csv(const Report& report);

// One row per arm and metric, kernel or count of both runs.
std::string comparison_csv(const std::vector<Comparison>& comparisons);

}  // namespace reports::render

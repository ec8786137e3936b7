// SPDX-License-Identifier: Apache-2.0
// A report as one HTML file that needs nothing else: no request leaves it, and it reads without
// JavaScript.
#pragma once

#include <string>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports::render {

// The same bytes for the same report.
std::string report_html(const Report& report);

// Of a run with a verdict: `breakdown` is the same run's report with its arms.
std::string comparison_html(const ComparisonReport& report, const Report& breakdown);

}  // namespace reports::render

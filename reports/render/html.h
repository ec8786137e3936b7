// SPDX-License-Identifier: Apache-2.0
// A report as one HTML file that needs nothing else: no request leaves it, and it reads without
// JavaScript.
#pragma once

#include <string>

#include "reports/records/report.h"

namespace reports::render {

// The same bytes for the same report.
std::string report_html(const Report& report);

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Parts of the HTML report. Each is the inside of its section; empty when there is nothing to show.
#pragma once

#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/render/html_page.h"

namespace reports::render {

std::string headline_html(const Report& report);  // one card a phase
std::string breakdown_html(const Report& report, const PhaseRow& phase);
std::string kernels_html(const Report& report, const PhaseRow& phase);

std::string metrics_html(const Report& report);
std::string losses_html(const Report& report);
std::string arms_html(const Report& report);  // of all arms; the rest is of one

std::string integrity_html(const Report& report);
std::string identities_html(const Report& report);
std::string cost_html(const Report& report);
std::string counts_html(const Report& report);
std::string trials_html(const Report& report);
std::string outputs_html(const Report& report);
std::string provenance_html(const Report& report);

// All of that in reading order, arm by arm where there are several.
std::vector<HtmlPart> breakdown_parts(const Report& report);

}  // namespace reports::render

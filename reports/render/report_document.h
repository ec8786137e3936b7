// SPDX-License-Identifier: Apache-2.0
// A report laid out for people: what was measured, phases, where the time goes, what must hold.
#pragma once

#include "reports/records/report.h"
#include "reports/render/document.h"
#include "reports/render/render.h"

namespace reports::render {

Document report_document(const Report& report, const Options& options);

// Lines "scenario", "model", "build", "machine", ... of a report's header.
std::vector<std::pair<std::string, std::string>> header_of(const Report& report);

// Tables of one profiled phase, closed by gap and total.
Section role_section(const Report& report, const PhaseRow& phase);
Section kernel_section(const Report& report, const PhaseRow& phase, const Options& options);

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// A report laid out for people: what was measured, phases, where the time goes, what must hold.
#pragma once

#include <vector>

#include "reports/records/report.h"
#include "reports/render/document.h"
#include "reports/render/render.h"

namespace reports::render {

// One arm of a run; `report` is the run's first arm and names the others.
Document report_document(const Report& report, const Options& options);

// One document per arm and, where there are several, one with the arms side by side.
std::vector<Document> report_documents(const Report& report, const Options& options);
Document side_by_side_document(const Report& report, const Options& options);

// Lines "scenario", "model", "build", "machine", ... of a report's header.
std::vector<std::pair<std::string, std::string>> header_of(const Report& report);

// Tables of one profiled phase, closed by gap and total.
Section role_section(const Report& report, const PhaseRow& phase);
Section kernel_section(const Report& report, const PhaseRow& phase, const Options& options);

}  // namespace reports::render

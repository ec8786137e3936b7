// SPDX-License-Identifier: Apache-2.0
// Phases of an arm by mode, their integrity figures, and what profiling cost.
#pragma once

#include <vector>

#include "reports/records/report.h"
#include "reports/store/store.h"

namespace reports {

// `trials` gives validity and reasons.
std::vector<PhaseRow> load_phase_rows(const Store& store,
                                      Id arm,
                                      const std::vector<TrialRow>& trials,
                                      const std::string& timer);
std::vector<ProfilingCost> load_profiling_cost(const Store& store, Id arm);

}  // namespace reports

// SPDX-License-Identifier: Apache-2.0
// Everything `tare show` knows about a run, as one JSON object (tare.show/1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/stored_verdict.h"

namespace scenarios::cli {

// A trial with the name of its arm.
struct TrialOfArm {
    std::string arm;
    const reports::TrialRow* row = nullptr;
};

// Of every loaded arm, in the order they ran.
std::vector<TrialOfArm> trials_of(const reports::Report& report);

// `verdict`: what was concluded from the run; null: nothing.
std::string show_json(const reports::Report& report,
                      const std::optional<reports::StoredVerdict>& verdict);

}  // namespace scenarios::cli

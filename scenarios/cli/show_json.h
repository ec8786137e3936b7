// SPDX-License-Identifier: Apache-2.0
// Everything `tare show` knows about a run, as one JSON object (tare.show/1).
#pragma once

#include <string>
#include <vector>

#include "reports/records/report.h"

namespace scenarios::cli {

// A trial with the name of its arm.
struct TrialOfArm {
    std::string arm;
    const reports::TrialRow* row = nullptr;
};

// Of every loaded arm, in the order they ran.
std::vector<TrialOfArm> trials_of(const reports::Report& report);

std::string show_json(const reports::Report& report);

}  // namespace scenarios::cli

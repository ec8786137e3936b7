// SPDX-License-Identifier: Apache-2.0
// Reads a stored run into a Report. Numbers are medians over valid trials of one arm.
#pragma once

#include "reports/records/report.h"
#include "reports/store/store.h"

namespace reports {

// The first arm's, with the others in `other_arms`.
Report load_report(const Store& store, Id run);

// The message names the run's arms.
struct NoSuchArm : StoreError {
    using StoreError::StoreError;
};

// One arm's alone. Throws NoSuchArm.
Report load_arm_report(const Store& store, Id run, const std::string& arm);

}  // namespace reports

// SPDX-License-Identifier: Apache-2.0
// Reads a stored run into a Report. Numbers are medians over valid trials.
#pragma once

#include "reports/records/report.h"
#include "reports/store/store.h"

namespace reports {

Report load_report(const Store& store, Id run);

}  // namespace reports

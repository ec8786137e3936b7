// SPDX-License-Identifier: Apache-2.0
// Everything `tare show` knows about a run, as one JSON object (tare.show/1).
#pragma once

#include <string>

#include "reports/records/report.h"

namespace scenarios::cli {

std::string show_json(const reports::Report& report);

}  // namespace scenarios::cli

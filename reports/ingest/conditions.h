// SPDX-License-Identifier: Apache-2.0
// Observations of the machine, one JSON object a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/records/run.h"

namespace reports::ingest {

struct Conditions {
    std::vector<Condition> observed;
    std::vector<std::string> problems;  // lines that could not be read
};

Conditions read_conditions(std::string_view text);

}  // namespace reports::ingest

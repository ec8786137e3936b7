// SPDX-License-Identifier: Apache-2.0
// Margins of metrics: "2%" in a scenario, "decode_wall_ns=2%" on the command line.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/plan/scenario.h"

namespace scenarios::plan {

// What a margin may be set for.
const std::vector<std::string>& metric_names();

// Of every workload "command": process start to process end.
inline constexpr const char* process_metric = "process_wall_ns";

// The message names the text and the accepted form.
struct MarginSyntax : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "decode_wall_ns=2%". Of a command any name will do. Throws MarginSyntax.
Metric parse_margin(const std::string& text, Workload workload);

}  // namespace scenarios::plan

// SPDX-License-Identifier: Apache-2.0
// The JSON objects of INTERFACES: tare.report/1 and tare.compare/1. Unknown is null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/render/comparison.h"

namespace reports::render {

// "name": median, "name_min", "name_max": over reps or trials.
void put(nlohmann::json& object, const std::string& name, const Figure& figure);
void put(nlohmann::json& object, const std::string& name, const std::optional<double>& value);
// A whole number where the value is one; null where it is not finite.
nlohmann::json number(double value);

nlohmann::json run_json(const Report& report);  // the "run" object
std::string report_json(const Report& report);
// The first arm's; those of the others in "other_arms".
std::string comparison_json(const std::vector<Comparison>& comparisons);

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// From a scenario file to a Scenario: variant applied, nothing missing, prompt loaded.
#pragma once

#include <filesystem>
#include <string>

#include "scenarios/plan/place.h"
#include "scenarios/plan/scenario.h"

namespace scenarios::plan {

// `backend` picks the variant. Throws ScenarioError for anything a person has to correct in the
// file, the prompt it names included.
Scenario load_scenario(const std::filesystem::path& file, const std::string& backend);

}  // namespace scenarios::plan

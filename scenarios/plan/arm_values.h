// SPDX-License-Identifier: Apache-2.0
// [arms.NAME] of a scenario file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/plan/toml_table.h"
#include "scenarios/plan/values.h"

namespace scenarios::plan {

constexpr std::size_t most_arms = 8;

// Why an arm may not set an environment variable of that name; empty when it may.
std::string why_no_arm_variable(const std::string& name);

// A table of environment variables. Throws ScenarioError.
std::map<std::string, std::string> read_environment(TomlTable table);

// In the order of the file: the first arm is the one others are shown beside. Throws ScenarioError.
std::vector<ArmValues> read_arms(TomlTable table);

}  // namespace scenarios::plan

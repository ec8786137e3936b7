// SPDX-License-Identifier: Apache-2.0
// [build]: how a commit of a repository becomes the program under test. In tare.toml at the top of
// the repository, or in a scenario, which then has the word.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/plan/toml_table.h"

namespace scenarios::plan {

struct BuildRecipe {
    Place place;
    std::string command;                 // for `bash -c`, run at the top of a worktree
    std::vector<std::string> artefacts;  // relative to it; the first is the program
    // Paths whose content decides the build: commits in which they are equal share one. Empty: the
    // commit decides.
    std::vector<std::string> inputs;
    std::map<std::string, std::string> environment;  // on top of the caller's
    double time_limit_s = 3600;
};

// What `tare init` writes where only the project knows; refused until it is filled in.
inline constexpr const char* placeholder_mark = "FILL IN";

inline constexpr const char* project_file = "tare.toml";

// Throws ScenarioError.
BuildRecipe read_build(TomlTable table);

// The [build] of a project file. Throws ScenarioError, also when there is none.
BuildRecipe parse_project(const std::string& text, const std::string& file);

}  // namespace scenarios::plan

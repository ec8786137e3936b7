// SPDX-License-Identifier: Apache-2.0
// What a repository's own files say of how it is built: a guess for a person to look at.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scenarios::cli {

struct Project {
    std::string found;          // "Makefile"; empty: nothing that is known here
    std::string build_command;  // for bash; begins with plan::placeholder_mark where unknown
    std::string artefact;       // the same
    std::vector<std::string> command = {"{program}"};  // of the scenario
    std::string packages = "build-essential";          // of Debian, that build it
};

// Looks at the files at `top` alone and runs nothing.
Project guess_project(const std::filesystem::path& top);

// A name for its scenario: of the artefact, else of the folder.
std::string scenario_name(const Project& project, const std::filesystem::path& top);

bool is_whole(const Project& project);  // nothing is left to fill in

}  // namespace scenarios::cli

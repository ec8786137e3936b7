// SPDX-License-Identifier: Apache-2.0
// build.json, the receipt beside a built program: what it was made of, and the program's own hash.
#pragma once

#include <filesystem>
#include <string>

#include "scenarios/build/toolchain.h"
#include "scenarios/plan/build_recipe.h"

namespace scenarios::build {

inline constexpr const char* build_file_name = "build.json";

// Fields: schema, commit, dirty_diff_sha256 (null: a worktree is clean), compiler, flags, targets,
// program, binary_sha256, protocol, command, environment, toolchain, inputs, built_utc. What a
// build.json beside the artefact in the worktree says of compiler, flags, targets and protocol is
// kept; else compiler is the C++ compiler's first line, targets the artefacts, and the rest null.
// Throws run::FileError.
void write_build_file(const std::filesystem::path& folder,
                      const std::filesystem::path& program,
                      const std::string& commit,
                      const plan::BuildRecipe& recipe,
                      const Toolchain& toolchain,
                      const std::filesystem::path& said_in_worktree);

}  // namespace scenarios::build

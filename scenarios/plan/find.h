// SPDX-License-Identifier: Apache-2.0
// SCENARIO as users write it: a name, or a path to a .toml file.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace scenarios::plan {

// The message names the folders searched and the nearest scenario there is.
struct NotFound : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Top of the git checkout that encloses `folder`; nullopt: none does.
std::optional<std::filesystem::path> enclosing_checkout(std::filesystem::path folder);

// Folders in the order they are searched: `option` (--scenarios DIR) alone when given; else
// scenarios/ of the checkout that encloses `from`, then those that belong to the executable
// (../../../scenarios of a build tree, ../share/tare/scenarios of an installation).
std::vector<std::filesystem::path> scenario_folders(const std::optional<std::string>& option,
                                                    const std::filesystem::path& from,
                                                    const std::filesystem::path& executable);

// Text with a '/' or ending in ".toml" is a path; anything else is a name. Throws NotFound.
std::filesystem::path find_scenario(const std::string& text,
                                    const std::vector<std::filesystem::path>& folders);

}  // namespace scenarios::plan

// SPDX-License-Identifier: Apache-2.0
// The files of `tare init`: their text, and all of them on the disk or none.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/cli/init_project.h"

namespace scenarios::cli {

struct Template {
    std::string_view name;  // "cli/init/tare.toml"
    std::string_view text;
};

// Built into the binary (ci/cmake/Embed.cmake).
std::span<const Template> init_templates();

struct NewFile {
    std::filesystem::path path;  // below the top of the checkout
    std::string text;
};

struct Suite {
    std::string repository, ref;  // where CI gets tare from; may be placeholders
};

std::vector<NewFile> init_files(const Project& project,
                                const std::string& name,
                                const Suite& suite);

// Those that are there already, whatever they are.
std::vector<std::filesystem::path> already_there(const std::filesystem::path& top,
                                                 const std::vector<NewFile>& files);

// Puts each in its place, also of a file that is there. Throws UsageError when one cannot be
// written; then everything is as it was.
void write_all(const std::filesystem::path& top, const std::vector<NewFile>& files);

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
// A file that a person names, read whole: never waiting, never more than it may hold.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace scenarios::plan {

// The message says what is wrong with the file, without its name.
struct UnreadableFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws UnreadableFile for what is no regular file (a pipe would be waited for, a device read
// for ever), what is larger than `most_bytes`, and what cannot be read.
std::string read_whole_file(const std::filesystem::path& file, std::size_t most_bytes);

// "", or why `file` is not a regular file that can be opened.
std::string why_unreadable(const std::filesystem::path& file);

}  // namespace scenarios::plan

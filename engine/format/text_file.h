// SPDX-License-Identifier: Apache-2.0
// Small text files, read whole: config.json, an index, a list of tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/format/open_file.h"

namespace engine::format {

constexpr std::uint64_t max_text_bytes = 256 << 20;  // no file of a model is near it

// Throws std::runtime_error naming the file when it cannot be opened or read, is no regular file
// (a directory, a pipe: nothing waits for a writer), or is longer than `limit` bytes.
std::string read_text(const std::filesystem::path& file, std::uint64_t limit = max_text_bytes);

// The same of a file that is open; of a pipe, until its writers are gone.
std::string read_text(const OpenFile& file, std::uint64_t limit);

}  // namespace engine::format

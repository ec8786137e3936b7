// SPDX-License-Identifier: Apache-2.0
// What the standard library's file functions throw, in words for the person who named the file.
#pragma once

#include <filesystem>
#include <string>

namespace engine::format {

std::string file_message(const std::filesystem::filesystem_error& error);

}  // namespace engine::format

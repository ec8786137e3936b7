// SPDX-License-Identifier: Apache-2.0
// The path and the system's reason of a file error.
#include "engine/format/file_message.h"

#include <fmt/format.h>

namespace engine::format {

std::string file_message(const std::filesystem::filesystem_error& error) {
    const auto name = error.path1().empty() ? std::string("a file") : error.path1().string();
    return fmt::format("{}: cannot be used: {}; check the name and its permissions", name,
                       error.code().message());
}

}  // namespace engine::format

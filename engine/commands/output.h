// SPDX-License-Identifier: Apache-2.0
// What goes to stdout: whole lines, each pushed out at once, failures noticed.
#pragma once

#include <string_view>

namespace engine::commands {

// Throws std::runtime_error when stdout cannot take it (closed pipe, disk full).
void print_line(std::string_view line);

}  // namespace engine::commands

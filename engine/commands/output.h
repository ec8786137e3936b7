// SPDX-License-Identifier: Apache-2.0
// What goes to stdout and stderr: whole lines, each pushed out at once, failures noticed.
#pragma once

#include <string_view>

namespace engine::commands {

// Throw format::OutputLost when stdout cannot take it (closed pipe, disk full).
void print_line(std::string_view line);
void print_part(std::string_view part);  // of a line

// A line for people, which may hold what they typed or a file says: nothing of that steers a
// terminal.
void print_shown(std::string_view line);  // on stdout
void say(std::string_view line);          // on stderr; never throws for a loss there

}  // namespace engine::commands

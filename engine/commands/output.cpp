// SPDX-License-Identifier: Apache-2.0
// Lines on stdout and stderr.
#include "engine/commands/output.h"

#include <cstdio>
#include <string>

#include "engine/format/printable.h"
#include "engine/format/standard_streams.h"

namespace engine::commands {

void print_part(std::string_view part) {
    format::write_stdout(part);
}

void print_line(std::string_view line) {
    print_part(std::string(line) + '\n');
}

void print_shown(std::string_view line) {
    print_line(format::printable(line));
}

void say(std::string_view line) {
    const auto text = format::printable(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace engine::commands

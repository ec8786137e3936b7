// SPDX-License-Identifier: Apache-2.0
// Lines on stdout.
#include "engine/commands/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace engine::commands {

void print_line(std::string_view line) {
    const auto written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
                         std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
    if (!written) {
        throw std::runtime_error(
            fmt::format("stdout: {}; results are incomplete", std::strerror(errno)));
    }
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/say.h"

#include <cstdio>

#include <fmt/format.h>

#include "engine/format/printable.h"

namespace scenarios::cli {

namespace {

constexpr std::size_t kept_start = 3000, kept_end = 1000;  // bytes

}  // namespace

std::string said(std::string_view text) {
    using engine::format::printable_lines;
    const std::string shown = printable_lines(text);
    if (shown.size() <= 2 * (kept_start + kept_end)) return shown;
    // Cut before it is made printable: no escape and no character is shown by half of it.
    return printable_lines(text.substr(0, kept_start)) +
           fmt::format(" [{} bytes left out] ", text.size() - kept_start - kept_end) +
           printable_lines(text.substr(text.size() - kept_end));
}

void say(std::string_view text) {
    const std::string line = "tare: " + said(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace scenarios::cli

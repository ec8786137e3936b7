// SPDX-License-Identifier: Apache-2.0
// Messages for the person at the terminal.
#pragma once

#include <string>
#include <string_view>

namespace scenarios::cli {

// "tare: TEXT" on stderr, in one write. What would steer the terminal is shown like \u{1b}, bytes
// that are no UTF-8 like \xff; a text of many kilobytes keeps its start and its end.
void say(std::string_view text);

// The text as say() shows it, before its new line.
std::string said(std::string_view text);

}  // namespace scenarios::cli

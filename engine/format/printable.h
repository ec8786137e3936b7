// SPDX-License-Identifier: Apache-2.0
// Text of unknown origin (arguments, names in files) in messages for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace engine::format {

// The text with every byte that is no UTF-8 as \xNN, and every character that steers a terminal or
// the direction of writing as \n, \t, \r or \u{N}; all else as it is. Nothing of it ends a line.
std::string printable(std::string_view text);

// The same for text of ours around theirs: new lines stay.
std::string printable_lines(std::string_view text);

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Foreign text made safe to write: names and stderr may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace reports::render {

// The same text with U+FFFD for every byte that is no part of well-formed UTF-8.
std::string repaired(std::string_view text);

// Bytes of the well-formed character at the start of a text that is not empty; 0: there is none.
std::size_t utf8_bytes(std::string_view text);

}  // namespace reports::render

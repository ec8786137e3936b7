// SPDX-License-Identifier: Apache-2.0
// JSON values appended to a text: an export writes millions of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reports::exports {

// With its quotes. What is no UTF-8 becomes U+FFFD; control characters and DEL, which some readers
// refuse, are escaped.
void append_text(std::string& out, std::string_view text);

// null when it is not finite; a whole number has no point.
void append_number(std::string& out, double value);

// Nanoseconds as microseconds with three decimals, digit by digit: nothing is rounded.
void append_micros(std::string& out, std::int64_t ns);

}  // namespace reports::exports

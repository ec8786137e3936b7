// SPDX-License-Identifier: Apache-2.0
// Splits text into words as a POSIX shell does, without expanding anything.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios::build {

// The message says which quote is open and where (from 1).
struct ShellSyntax : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Blanks part words; '...' keeps all, "..." keeps all but a backslash before $ ` " \ and newline,
// and a backslash outside quotes keeps the next character. $ and * stand for themselves.
// Throws ShellSyntax for a quote that does not end and a backslash that ends the text.
std::vector<std::string> shell_words(std::string_view text);

}  // namespace scenarios::build

// SPDX-License-Identifier: Apache-2.0
// The regular expressions of tokenizer.json in PCRE2's dialect.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::format {

// `offset`: of the byte in the pattern that is at fault.
struct PatternError : std::runtime_error {
    PatternError(std::size_t offset, const std::string& reason);
};

// tokenizer.json's patterns are written for Oniguruma. Where both dialects agree the pattern is
// kept, where they differ (\s, \w, \d, \v, \u, ^ and $, {,n}, scripts) it is rewritten, and what
// has no counterpart here (nested classes, &&, POSIX brackets, back references, named groups) is
// refused. Groups capture nothing. To be compiled with UTF, UCP and MULTILINE, newline = LF.
struct Pcre2Pattern {
    std::string text;
    // Where the elements begin, and the end: offset in `text`, offset in the pattern they come
    // from. Ascending.
    std::vector<std::pair<std::size_t, std::size_t>> elements;

    std::size_t origin(std::size_t offset) const;  // of a place in `text`
};

// Throws PatternError.
Pcre2Pattern to_pcre2(std::string_view pattern);

// Matches `text` and nothing else.
Pcre2Pattern literal_pattern(std::string_view text);

}  // namespace engine::format

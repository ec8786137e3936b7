// SPDX-License-Identifier: Apache-2.0
// UTF-8: where text is not, what replaces it, and characters one by one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine::format::utf8 {

inline constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// What begins at the first byte of `bytes` (not empty).
struct Sequence {
    enum class Kind { character, ill_formed, cut_short };  // cut_short: more bytes could mend it
    Kind kind;
    std::size_t bytes;  // ill_formed: the longest part that a character could begin with
};

Sequence first_sequence(std::string_view bytes);

// Offset of the first byte that belongs to no character; npos: all is well-formed.
std::size_t first_fault(std::string_view text);

// Every ill-formed sequence becomes one U+FFFD, also one cut short at the end.
std::string with_replacements(std::string_view bytes);

// Moves what is final out of `pending`; leaves at most 3 bytes, which more bytes may complete.
std::string take_final(std::string& pending);

// Of well-formed text: the character at `at`, and the offset of the one before `at` (not 0).
std::string_view character_at(std::string_view text, std::size_t at);
std::size_t before(std::string_view text, std::size_t at);
char32_t code_point(std::string_view character);

// The property White_Space, which has been these since Unicode 6.3.
bool is_white_space(char32_t c);

}  // namespace engine::format::utf8

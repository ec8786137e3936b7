// SPDX-License-Identifier: Apache-2.0
// Pre-tokenizers: how a text falls into the pieces that are merged each on its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/format/tokenizer_regex.h"

namespace engine::format {

// What becomes of a match (a delimiter) and of what lies between matches.
enum class SplitBehavior : std::uint8_t {
    removed,
    isolated,
    merged_with_previous,
    merged_with_next,
    contiguous,
};

struct SplitStep {
    TokenizerRegex pattern;
    SplitBehavior behavior = SplitBehavior::isolated;
    bool invert = false;  // what lies between matches is the delimiter
};

// Turns every byte into the character that stands for it in the vocabulary.
struct ByteLevelStep {
    bool add_prefix_space = false;        // before every piece that begins without one
    std::vector<TokenizerRegex> pattern;  // none or one: splits first
};

using PreTokenizerStep = std::variant<SplitStep, ByteLevelStep>;

// Not empty pieces of `text`, in order.
struct Pieces {
    std::string text;
    std::vector<Span> spans;

    std::string_view piece(Span span) const {
        return std::string_view(text).substr(span.begin, span.end - span.begin);
    }
};

void apply(const PreTokenizerStep& step, Pieces& pieces);

// GPT-2's pattern, which ByteLevel splits by unless told not to.
std::string_view byte_level_pattern();

// The character that stands for a byte: printable ones for themselves, the others from U+0100 on.
std::string_view byte_character(std::uint8_t byte);

// The bytes a token's characters stand for; those of the token itself when one of its characters
// stands for none.
std::string bytes_of_characters(std::string_view token);

}  // namespace engine::format

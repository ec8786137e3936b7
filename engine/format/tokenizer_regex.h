// SPDX-License-Identifier: Apache-2.0
// A compiled pattern of tokenizer.json, and all its matches in a text.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/format/tokenizer_pattern.h"

namespace engine::format {

// Bytes [begin, end) of a text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool empty() const { return begin == end; }
};

// Safe to use from several threads at once.
class TokenizerRegex {
  public:
    // `where` (file and place) begins every message. Throws std::runtime_error with the offset and
    // PCRE2's words.
    TokenizerRegex(const Pcre2Pattern& pattern, std::string where);
    ~TokenizerRegex();
    TokenizerRegex(TokenizerRegex&&) noexcept;
    TokenizerRegex& operator=(TokenizerRegex&&) noexcept;

    // Of well-formed UTF-8, from left to right, without overlap. An empty match directly after
    // another match does not count. Throws std::runtime_error when the search takes more steps
    // than any sensible pattern needs for a text of this length.
    std::vector<Span> find_all(std::string_view text) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Tokens that are found in a text before it is split and merged, such as <|im_end|>.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/format/tokenizer_regex.h"

namespace engine::format {

struct AddedToken {
    std::int32_t id = 0;
    std::string content;
    bool single_word = false;  // only where no word character touches it
    bool lstrip = false;       // takes the white space on its left with it
    bool rstrip = false;       // and on its right
    bool normalized = false;   // looked for after those that are not
    bool special = false;      // left out by decode() on request
};

// A part of the text: an added token, or what lies between.
struct Segment {
    std::string_view text;
    std::int32_t id = -1;  // -1: not an added token
};

class AddedTokens {
  public:
    AddedTokens() = default;
    explicit AddedTokens(std::vector<AddedToken> tokens);

    // The leftmost of matches counts, and the longest of those that begin there.
    std::vector<Segment> split(std::string_view text) const;

    const AddedToken* find(std::int32_t id) const;
    const AddedToken* find(std::string_view content) const;

    const std::vector<AddedToken>& tokens() const { return tokens_; }

  private:
    // Prefix tree over bytes.
    struct Tree {
        std::unordered_map<std::uint64_t, std::uint32_t> edges;  // (node << 8 | byte) -> node
        std::vector<std::int64_t> tokens{-1};  // by node: the token that ends there
        std::array<bool, 256> first{};         // bytes that a token begins with

        void add(std::string_view content, std::size_t token);
        std::int64_t longest(std::string_view text) const;  // at its beginning; -1: none
    };

    void find_in(const Tree& tree, std::string_view text, std::vector<Segment>& segments) const;

    std::vector<AddedToken> tokens_;
    Tree as_written_;
    Tree normalized_;
    std::unordered_map<std::int32_t, std::size_t> by_id_;
    std::unordered_map<std::string_view, std::size_t> by_content_;
};

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding: a vocabulary and the merges that lead from characters to its tokens.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine::format {

struct TextHash {
    using is_transparent = void;

    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};

using Vocabulary = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

struct Merge {
    std::uint32_t rank = 0;  // lower ones first
    std::int32_t id = 0;     // of the merged token
};

struct BpeOptions {
    std::optional<std::int32_t> unknown;  // unk_token
    bool fuse_unknown = false;            // a run of unknown characters is one token
    bool byte_fallback = false;           // an unknown character becomes tokens <0xNN>
    bool ignore_merges = false;           // a whole piece that is a token stays whole
};

class Bpe {
  public:
    Bpe() = default;

    // `merges`: by pair(left, right). Throws std::runtime_error when byte_fallback lacks a token.
    Bpe(Vocabulary vocabulary,
        std::unordered_map<std::uint64_t, Merge> merges,
        const BpeOptions& options);

    static std::uint64_t pair(std::int32_t left, std::int32_t right) {
        return std::uint64_t(std::uint32_t(left)) << 32 | std::uint32_t(right);
    }

    const Vocabulary& vocabulary() const { return vocabulary_; }

    std::optional<std::int32_t> id(std::string_view token) const;

    // Appends the ids of a piece of well-formed UTF-8, in O(n log n). A character that has no
    // token becomes the unknown one; where there is none, std::runtime_error names the character.
    void encode(std::string_view piece, std::vector<std::int32_t>& ids) const;

  private:
    std::int32_t character_id(std::string_view character) const;  // -1: none
    void append_characters(std::string_view piece, std::vector<std::int32_t>& ids) const;
    void append_unknown(std::string_view character,
                        bool after_unknown,
                        std::vector<std::int32_t>& ids) const;

    Vocabulary vocabulary_;
    std::unordered_map<std::uint64_t, Merge> merges_;
    BpeOptions options_;
    std::array<std::int32_t, 0x180> short_ids_{};  // of characters by code point; -1: none
    std::array<std::int32_t, 256> byte_ids_{};     // of <0xNN>, with byte_fallback
};

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// What a tokenizer.json consists of, once read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/format/tokenizer_added.h"
#include "engine/format/tokenizer_bpe.h"
#include "engine/format/tokenizer_split.h"

namespace engine::format {

enum class TokenDecoder : std::uint8_t {
    blanks,         // none given: tokens with a blank between
    concatenated,   // Fuse
    byte_level,     // ByteLevel: characters stand for bytes
    byte_fallback,  // ByteFallback: <0xNN> are bytes, good only if a run of them is UTF-8
};

struct TokenizerParts {
    std::string name;  // of the file, for messages
    Bpe bpe;
    AddedTokens added;
    std::vector<PreTokenizerStep> steps;
    std::vector<std::int32_t> before, after;  // what the post-processor adds
    TokenDecoder decoder = TokenDecoder::blanks;
    std::unordered_map<std::int32_t, std::string_view> tokens;  // by id; text of bpe and added
    std::int32_t largest_id = 0;

    // nullopt: no token, or one to be left out.
    std::optional<std::string_view> visible(std::int32_t id, bool skip_special) const;
};

}  // namespace engine::format

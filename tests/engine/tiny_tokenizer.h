// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json that a test writes, whole or broken in one place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/format/tokenizer.h"
#include "engine/format/tokenizer_split.h"

namespace tiny_tokenizer {

using nlohmann::json;

inline json added(int id, const std::string& content) {
    return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
            {"rstrip", false}, {"normalized", false}, {"special", true}};
}

// Bytes 0 to 255 have the ids 10 to 265; "ab" is 266, "abc" 267, "Ġa" 268. <s> is 1, </s> is 2.
inline json file() {
    json vocab;
    vocab["<unk>"] = 0;
    vocab["<s>"] = 1;
    vocab["</s>"] = 2;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto text = engine::format::byte_character(static_cast<std::uint8_t>(byte));
        vocab[std::string(text)] = 10 + byte;
    }
    vocab["ab"] = 266;
    vocab["abc"] = 267;
    vocab["\u0120a"] = 268;
    json root;
    root["version"] = "1.0";
    root["added_tokens"] = {added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")};
    root["pre_tokenizer"] = {
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
    root["decoder"] = {{"type", "ByteLevel"}};
    root["model"] = {{"type", "BPE"},
                     {"vocab", vocab},
                     {"merges", json::array({{"a", "b"}, {"ab", "c"}, {"\u0120", "a"}})}};
    return root;
}

inline engine::format::Tokenizer make(const json& file) {
    return engine::format::Tokenizer::parse(file.dump(), "tokenizer.json");
}

}  // namespace tiny_tokenizer

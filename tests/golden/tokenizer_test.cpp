// SPDX-License-Identifier: Apache-2.0
// The shipped tokenizers against the token ids of the goldens.
#include "engine/format/tokenizer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/golden/golden.h"

namespace {

using engine::format::Tokenizer;
namespace fs = std::filesystem;

Tokenizer shipped(const std::string& weights) {
    return Tokenizer::open(TARE_SOURCE_DIR "/scenarios/models/small-" + weights +
                           "/tokenizer.json");
}

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
}

class TokenizerTexts : public testing::TestWithParam<const char*> {};

// The texts' goldens are 512 tokens long, the first one <s>. Their last token is where the text
// was cut, so the whole text may go on otherwise there.
TEST_P(TokenizerTexts, begin_with_the_ids_of_the_goldens) {
    const auto tokenizer = shipped(GetParam());
    const auto& file = golden::values("texts", GetParam());
    int texts = 0;
    for (const auto& [key, tensor] : file.tensors()) {
        if (!key.ends_with(".tokens")) continue;
        auto name = key.substr(0, key.size() - std::string(".tokens").size());
        if (name.ends_with(".html")) name.resize(name.size() - 5);
        auto expected = golden::tokens(file, key);
        ASSERT_EQ(expected.front(), 1) << key;
        expected.erase(expected.begin());
        expected.pop_back();
        const auto text = read_file(TARE_SOURCE_DIR "/scenarios/prompts/texts/" + name + ".txt");
        auto ids = tokenizer.encode(text);
        EXPECT_EQ(tokenizer.decode(ids), text) << key;
        ASSERT_GE(ids.size(), expected.size()) << key;
        ids.resize(expected.size());
        EXPECT_EQ(ids, expected) << key;
        ++texts;
    }
    EXPECT_EQ(texts, 7);
}

INSTANTIATE_TEST_SUITE_P(Models, TokenizerTexts, testing::Values("bf16", "nvfp4"));

TEST(TokenizerTexts, of_the_prompts_folder_survive_the_way_there_and_back) {
    const auto tokenizer = shipped("bf16");
    int texts = 0;
    for (const auto& entry : fs::directory_iterator(TARE_SOURCE_DIR "/scenarios/prompts/texts")) {
        const auto text = read_file(entry.path());
        EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text) << entry.path();
        ++texts;
    }
    EXPECT_GE(texts, 30);
}

}  // namespace

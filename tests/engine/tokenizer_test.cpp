// SPDX-License-Identifier: Apache-2.0
// Encoding and decoding with small tokenizers whose ids can be told by hand.
#include "engine/format/tokenizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "engine/format/utf8.h"
#include "tests/engine/scratch_files.h"
#include "tests/engine/tiny_tokenizer.h"

namespace {

using engine::format::TextStream, engine::format::Tokenizer;
using nlohmann::json;
using tiny_tokenizer::added, tiny_tokenizer::file, tiny_tokenizer::make;
using Ids = std::vector<std::int32_t>;

int byte(char c) {
    return 10 + static_cast<unsigned char>(c);
}

Tokenizer patched(const char* patch) {
    auto root = file();
    root.merge_patch(json::parse(patch));
    return make(root);
}

// The pieces as a tokenizer without merges would show them: one list of characters each.
std::string pieces(const json& pre_tokenizer, const std::string& text) {
    auto root = file();
    // Every piece gets a blank in front, which shows where it begins.
    root["pre_tokenizer"] = {
        {"type", "Sequence"},
        {"pretokenizers",
         {pre_tokenizer,
          {{"type", "ByteLevel"}, {"add_prefix_space", true}, {"use_regex", false}}}}};
    root["model"]["merges"] = json::array();
    const auto tokenizer = make(root);
    return tokenizer.decode(tokenizer.encode(text));
}

json split(const std::string& kind, const std::string& pattern, const char* behavior) {
    return {{"type", "Split"},
            {"pattern", {{kind, pattern}}},
            {"behavior", behavior},
            {"invert", false}};
}

TEST(Tokenizer, merges_in_the_order_of_ranks) {
    const auto tokenizer = make(file());
    EXPECT_EQ(tokenizer.encode("abc"), (Ids{267}));
    EXPECT_EQ(tokenizer.encode("abab"), (Ids{266, 266}));
    EXPECT_EQ(tokenizer.encode("bab"), (Ids{byte('b'), 266}));
    EXPECT_EQ(tokenizer.encode(" ab"), (Ids{byte(' '), 266}));  // a-b comes before blank-a
    EXPECT_EQ(tokenizer.encode(" aa"), (Ids{268, byte('a')}));
    EXPECT_EQ(tokenizer.encode(""), Ids{});
    EXPECT_EQ(tokenizer.encode(std::string(1, '\0')), (Ids{10}));
}

TEST(Tokenizer, of_equal_ranks_the_leftmost_goes_first) {
    const auto tokenizer = patched(R"({"model":{"vocab":{"aa":300},"merges":["a a"]}})");
    EXPECT_EQ(tokenizer.encode("aaa"), (Ids{300, byte('a')}));
    EXPECT_EQ(tokenizer.encode("aaaa"), (Ids{300, 300}));
}

TEST(Tokenizer, knows_tokens_by_id_and_ids_by_token) {
    const auto tokenizer = make(file());
    EXPECT_EQ(tokenizer.id("abc"), 267);
    EXPECT_EQ(tokenizer.id("</s>"), 2);
    EXPECT_EQ(tokenizer.id("nope"), std::nullopt);
    EXPECT_EQ(tokenizer.token(268), "\u0120a");
    EXPECT_EQ(tokenizer.token(-1), std::nullopt);
    EXPECT_EQ(tokenizer.vocab_size(), 262U);
    EXPECT_EQ(tokenizer.largest_id(), 268);
}

TEST(Tokenizer, takes_a_whole_piece_first_when_it_ignores_merges) {
    const char* without_merge = R"({"model":{"vocab":{"cab":300},"ignore_merges":false}})";
    const char* ignoring = R"({"model":{"vocab":{"cab":300},"ignore_merges":true}})";
    EXPECT_EQ(patched(without_merge).encode("cab"), (Ids{byte('c'), 266}));
    EXPECT_EQ(patched(ignoring).encode("cab"), (Ids{300}));
    EXPECT_EQ(patched(ignoring).encode("cabx"), (Ids{byte('c'), 266, byte('x')}));
}

TEST(Tokenizer, unknown_characters_are_the_unknown_token_or_an_error) {
    const char* base = R"({"pre_tokenizer":null,"model":{"unk_token":"<unk>","fuse_unk":false}})";
    EXPECT_EQ(patched(base).encode("a\u4E00\u4E00b"), (Ids{byte('a'), 0, 0, byte('b')}));
    const char* fused = R"({"pre_tokenizer":null,"model":{"unk_token":"<unk>","fuse_unk":true}})";
    EXPECT_EQ(patched(fused).encode("a\u4E00\u4E00b"), (Ids{byte('a'), 0, byte('b')}));
    const auto nothing = patched(R"({"pre_tokenizer":null})");
    EXPECT_EQ(scratch::message_of([&] { nothing.encode("a\u4E00"); }),
              "the vocabulary has no token for U+4E00, and the model names no unk_token");
}

TEST(Tokenizer, falls_back_to_bytes) {
    auto root = file();
    root["pre_tokenizer"] = nullptr;
    root["decoder"] = {{"type", "Sequence"},
                       {"decoders", {{{"type", "ByteFallback"}}, {{"type", "Fuse"}}}}};
    for (unsigned i = 0; i < 256; ++i) {
        root["model"]["vocab"][fmt::format("<0x{:02X}>", i)] = 1000 + i;
    }
    root["model"]["byte_fallback"] = true;
    const auto tokenizer = make(root);
    const auto ids = tokenizer.encode("a\u4E00b");
    EXPECT_EQ(ids, (Ids{byte('a'), 1000 + 0xE4, 1000 + 0xB8, 1000 + 0x80, byte('b')}));
    EXPECT_EQ(tokenizer.decode(ids), "a\u4E00b");
    // a run that is not UTF-8 is replaced byte by byte, the good ones in it too
    EXPECT_EQ(tokenizer.decode(Ids{1000 + 'x', 1000 + 0xFF, byte('b')}), "\uFFFD\uFFFDb");
}

TEST(Tokenizer, splits_by_pattern_in_every_behavior) {
    const auto by = [](const char* behavior) {
        return pieces(split("String", "-", behavior), "the-final--countdown");
    };
    EXPECT_EQ(by("Removed"), " the final countdown");
    EXPECT_EQ(by("Isolated"), " the - final - - countdown");
    EXPECT_EQ(by("MergedWithPrevious"), " the- final- - countdown");
    EXPECT_EQ(by("MergedWithNext"), " the -final - -countdown");
    EXPECT_EQ(by("Contiguous"), " the - final -- countdown");
    auto inverted = split("Regex", "\\w+", "Removed");
    inverted["invert"] = true;
    EXPECT_EQ(pieces(inverted, "a, b"), " a b");
    EXPECT_EQ(pieces({{"type", "Digits"}, {"individual_digits", true}}, "a12b"), " a 1 2 b");
    EXPECT_EQ(pieces({{"type", "Digits"}, {"individual_digits", false}}, "a12b"), " a 12 b");
}

TEST(Tokenizer, splits_as_gpt2_does_when_asked_to) {
    const json step{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}};
    // Mapped twice, so that only ASCII without blanks shows as it was.
    EXPECT_EQ(pieces(step, "it's4you!"), " it 's 4 you !");
    EXPECT_EQ(pieces(step, "they'll"), " they 'll");
}

TEST(Tokenizer, puts_a_blank_before_the_first_piece_of_every_segment) {
    const auto tokenizer = patched(R"({"pre_tokenizer":{"add_prefix_space":true}})");
    EXPECT_EQ(tokenizer.encode("ac"), (Ids{268, byte('c')}));
    EXPECT_EQ(tokenizer.encode(" ac"), (Ids{268, byte('c')}));
    EXPECT_EQ(tokenizer.encode("<s>ac"), (Ids{1, 268, byte('c')}));
    EXPECT_EQ(tokenizer.encode("\tac"), (Ids{byte(' '), byte('\t'), byte('a'), byte('c')}));
}

// Added tokens of every kind at once.
class AddedTokens : public testing::Test {
  protected:
    Ids encode(json token, const std::string& text) {
        auto root = file();
        root["added_tokens"].push_back(std::move(token));
        return make(root).encode(text);
    }

    static json with(json token, const char* flag) {
        token[flag] = true;
        return token;
    }

    const json plain = added(300, "<x>");
};

TEST_F(AddedTokens, are_found_anywhere) {
    EXPECT_EQ(encode(plain, "a<x>b"), (Ids{byte('a'), 300, byte('b')}));
    EXPECT_EQ(encode(plain, "<x><x>"), (Ids{300, 300}));
    EXPECT_EQ(encode(plain, "<x"), (Ids{byte('<'), byte('x')}));
    EXPECT_EQ(encode(with(plain, "normalized"), "a<x>b"), (Ids{byte('a'), 300, byte('b')}));
}

TEST_F(AddedTokens, the_longest_of_those_that_begin_leftmost_wins) {
    auto root = file();
    root["added_tokens"].push_back(added(300, "<x>"));
    root["added_tokens"].push_back(added(301, "<x>y"));
    root["added_tokens"].push_back(added(302, "x>yz"));
    EXPECT_EQ(make(root).encode("<x>yz<x>z"), (Ids{301, byte('z'), 300, byte('z')}));
}

TEST_F(AddedTokens, take_white_space_with_them_when_told) {
    EXPECT_EQ(encode(with(plain, "lstrip"), "a \u3000\n<x> b"),
              (Ids{byte('a'), 300, byte(' '), byte('b')}));
    EXPECT_EQ(encode(with(plain, "rstrip"), "a <x> \t\u2028b"),
              (Ids{byte('a'), byte(' '), 300, byte('b')}));
    EXPECT_EQ(encode(with(plain, "lstrip"), "\u180E<x>").size(), 4U);  // no white space
}

TEST_F(AddedTokens, stand_alone_when_told) {
    const auto alone = with(plain, "single_word");
    EXPECT_EQ(encode(alone, "<x> <x>,"), (Ids{300, byte(' '), 300, byte(',')}));
    EXPECT_EQ(encode(alone, "a<x>").size(), 4U);
    EXPECT_EQ(encode(alone, "<x>9").size(), 4U);
    EXPECT_EQ(encode(alone, "\u0301<x>").size(), 5U);  // marks are of words
    EXPECT_EQ(encode(alone, "<x>\u200D").size(), 6U);  // and so is the joiner
}

TEST(Tokenizer, post_processor_adds_its_ids_unless_told_not_to) {
    const auto tokenizer = patched(R"({"post_processor":{"type":"Sequence","processors":[
        {"type":"ByteLevel"},
        {"type":"TemplateProcessing",
         "single":[{"SpecialToken":{"id":"b","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
                   {"SpecialToken":{"id":"e","type_id":0}}],
         "special_tokens":{"b":{"id":"b","ids":[1]},"e":{"id":"e","ids":[2,0]}}}]}})");
    EXPECT_EQ(tokenizer.encode("abc"), (Ids{1, 267, 2, 0}));
    EXPECT_EQ(tokenizer.encode("abc", false), (Ids{267}));
    EXPECT_EQ(tokenizer.encode(""), (Ids{1, 2, 0}));
}

TEST(Tokenizer, refuses_text_that_is_not_utf8_with_the_byte) {
    const auto tokenizer = make(file());
    const auto message = scratch::message_of([&] { tokenizer.encode("ab\xE2\x28"); });
    EXPECT_THAT(message, testing::HasSubstr("the text is not UTF-8: byte 2 is 0xE2"));
}

TEST(Tokenizer, decodes_bytes_and_leaves_special_tokens_out_on_request) {
    const auto tokenizer = make(file());
    EXPECT_EQ(tokenizer.decode(Ids{1, 266, 2}), "<s>ab</s>");
    EXPECT_EQ(tokenizer.decode(Ids{1, 266, 2}, true), "ab");
    EXPECT_EQ(tokenizer.decode(Ids{10 + 0xC3, 10 + 0xA9}), "\u00E9");
    EXPECT_EQ(tokenizer.decode(Ids{10 + 0xC3}), "\uFFFD");
    EXPECT_EQ(tokenizer.decode(Ids{10 + 0xC3, 1, 10 + 0xA9}), "\uFFFD<s>\uFFFD");
    EXPECT_EQ(tokenizer.decode(Ids{-5, 9, 269, 266}), "ab");
    EXPECT_EQ(patched(R"({"decoder":null})").decode(Ids{266, 267}), "ab abc");
    EXPECT_EQ(patched(R"({"decoder":{"type":"Fuse"}})").decode(Ids{266, 268}), "ab\u0120a");
}

// A token with a character outside of the byte alphabet stands for its own bytes.
TEST(Tokenizer, decodes_added_tokens_as_they_are_written) {
    auto root = file();
    root["added_tokens"].push_back(added(300, "a b\u4E00"));
    root["added_tokens"].push_back(added(301, "\u0120x"));
    EXPECT_EQ(make(root).decode(Ids{300, 301}), "a b\u4E00 x");
}

// The stream against decode(), over random ids of three decoders.
TEST(TextStream, put_together_is_what_decode_makes_of_all) {
    auto root = file();
    root["added_tokens"].push_back(added(300, "\u4E00 b"));
    for (unsigned i = 0; i < 256; ++i) {
        root["model"]["vocab"][fmt::format("<0x{:02X}>", i)] = 1000 + i;
    }
    std::mt19937 random(7);
    const json decoders[] = {
        {{"type", "ByteLevel"}}, nullptr, {{"type", "Fuse"}}, {{"type", "ByteFallback"}}};
    for (const auto& decoder : decoders) {
        root["decoder"] = decoder;
        const auto tokenizer = make(root);
        for (int round = 0; round < 2'000; ++round) {
            const bool skip_special = round % 2 == 0;
            Ids ids(random() % 12);
            for (auto& id : ids) id = static_cast<std::int32_t>(random() % 1'300);
            TextStream stream(tokenizer, skip_special);
            std::string text;
            for (const auto id : ids) {
                const auto part = stream.push(id);
                ASSERT_EQ(engine::format::utf8::first_fault(part), part.npos);
                text += part;
            }
            text += stream.finish();
            ASSERT_EQ(text, tokenizer.decode(ids, skip_special)) << decoder << json(ids);
        }
    }
}

TEST(TextStream, holds_back_only_what_is_not_a_character_yet) {
    const auto tokenizer = make(file());
    TextStream stream(tokenizer);
    EXPECT_EQ(stream.push(266), "ab");
    EXPECT_EQ(stream.push(10 + 0xE4), "");
    EXPECT_EQ(stream.push(10 + 0xB8), "");
    EXPECT_EQ(stream.push(10 + 0x80), "\u4E00");
    EXPECT_EQ(stream.push(10 + 0xE4), "");
    EXPECT_EQ(stream.push(byte('a')),
              "\uFFFD"
              "a");
    EXPECT_EQ(stream.push(10 + 0xC3), "");
    EXPECT_EQ(stream.finish(), "\uFFFD");
    EXPECT_EQ(stream.finish(), "");
}

// No part may take quadratic time: a text of one letter, one long added token, many of them.
TEST(Tokenizer, a_million_equal_letters_take_no_longer_than_seconds) {
    const auto begin = std::chrono::steady_clock::now();
    const auto shipped =
        Tokenizer::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16/tokenizer.json");
    for (const char* unit : {"a", "A", " ", "\n", "!", "\u4E00", "<s", "<s>", "1"}) {
        std::string text;
        while (text.size() < 1'000'000) text += unit;
        EXPECT_EQ(shipped.decode(shipped.encode(text)), text) << unit;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(seconds.count(), 60);  // one core, a sanitizer's build
}

}  // namespace

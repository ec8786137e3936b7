// SPDX-License-Identifier: Apache-2.0
// What a tokenizer.json may not hold: every refusal names file, place, value and accepted form.
#include "engine/format/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/scratch_files.h"
#include "tests/engine/tiny_tokenizer.h"

namespace {

using engine::format::Tokenizer;
using nlohmann::json;
using testing::AllOf, testing::HasSubstr;

std::string refusal_of_text(const std::string& text) {
    return scratch::message_of([&] { Tokenizer::parse(text, "dir/tokenizer.json"); });
}

// After a JSON merge patch of the tiny tokenizer.
std::string refusal(const std::string& patch) {
    auto file = tiny_tokenizer::file();
    file.merge_patch(json::parse(patch));
    return refusal_of_text(file.dump());
}

std::string refusal_at(const std::string& pointer, const json& value) {
    auto file = tiny_tokenizer::file();
    file[json::json_pointer(pointer)] = value;
    return refusal_of_text(file.dump());
}

TEST(TokenizerFile, the_unbroken_one_is_accepted) {
    EXPECT_EQ(refusal("{}"), "");
    EXPECT_EQ(refusal(R"({"normalizer":{"type":"Sequence","normalizers":[]}})"), "");
    EXPECT_EQ(refusal(R"({"pre_tokenizer":null,"decoder":null,"post_processor":null})"), "");
    EXPECT_EQ(refusal(R"({"model":{"dropout":0.0,"continuing_subword_prefix":""}})"), "");
}

TEST(TokenizerFile, that_is_no_json_object_is_refused) {
    EXPECT_THAT(refusal_of_text(""), HasSubstr("dir/tokenizer.json: not JSON at byte 1"));
    EXPECT_THAT(refusal_of_text("{\"model\":"), HasSubstr("not JSON at byte"));
    EXPECT_THAT(refusal_of_text("[]"), HasSubstr("a list of 0; accepted: an object"));
    EXPECT_THAT(refusal_of_text("{}"), HasSubstr("\"model\" is missing"));
    EXPECT_THAT(refusal_of_text(std::string(1'000'000, '[')), HasSubstr("nested deeper"));
    EXPECT_THAT(refusal_of_text("{\"\xC3\x28\":1}"), HasSubstr("not JSON at byte"));
    EXPECT_THAT(refusal_of_text(R"({"model":{"vocab":{"a":1,"a":2}}})"),
                HasSubstr("the key \"a\" is given twice"));
}

TEST(TokenizerFile, what_is_not_supported_is_refused_by_name) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"version":"2.0"})", "version is \"2.0\"; accepted: \"1.0\""},
        {R"({"truncation":{"max_length":5}})", "truncation is an object; accepted: null"},
        {R"({"padding":{}})", "padding is an object; accepted: null"},
        {R"({"normalizer":{"type":"NFC"}})", "normalizer.type is \"NFC\"; accepted: no normalizer"},
        {R"({"model":{"type":"Unigram"}})", "model.type is \"Unigram\"; accepted: \"BPE\""},
        {R"({"model":{"type":null}})", "model: \"type\" is missing"},
        {R"({"model":{"dropout":0.1}})", "model.dropout is 0.1; accepted: null"},
        {R"({"model":{"continuing_subword_prefix":"##"}})",
         "model.continuing_subword_prefix is \"##\"; accepted: null"},
        {R"({"model":{"end_of_word_suffix":"</w>"}})", "model.end_of_word_suffix is \"</w>\""},
        {R"({"model":{"byte_fallback":true}})",
         "model: byte_fallback is true, but the vocabulary has no token <0x00>"},
        {R"({"pre_tokenizer":{"type":"Whitespace"}})", "pre_tokenizer.type is \"Whitespace\""},
        {R"({"post_processor":{"type":"BertProcessing"}})",
         "post_processor.type is \"BertProcessing\""},
        {R"({"decoder":{"type":"WordPiece"}})", "decoder.type is \"WordPiece\""},
        {R"({"decoder":{"type":"Sequence","decoders":[{"type":"ByteLevel"},
            {"type":"ByteFallback"}]}})",
         "decoder is an object; accepted: one of ByteLevel and ByteFallback"},
    };
    for (const auto& [patch, reason] : cases) {
        EXPECT_THAT(refusal(patch),
                    AllOf(testing::StartsWith("dir/tokenizer.json: "), HasSubstr(reason)))
            << patch;
    }
}

TEST(TokenizerFile, of_wrong_types_is_refused) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"model":[]})", "model is a list of 0; accepted: an object"},
        {R"({"model":{"vocab":[1]}})", "model.vocab is a list of 1; accepted: an object"},
        {R"({"model":{"vocab":null}})", "model: \"vocab\" is missing"},
        {R"({"model":{"merges":{}}})", "model.merges is an object; accepted: a list"},
        {R"({"model":{"merges":null}})", "model: \"merges\" is missing"},
        {R"({"model":{"fuse_unk":1}})", "model.fuse_unk is 1; accepted: true or false"},
        {R"({"model":{"unk_token":3}})", "model.unk_token is 3; accepted: a string"},
        {R"({"model":{"unk_token":"?!"}})", "model.unk_token is \"?!\"; accepted: a token of"},
        {R"({"added_tokens":{}})", "added_tokens is an object; accepted: a list"},
        {R"({"added_tokens":[7]})", "added_tokens[0] is 7; accepted: an object"},
        {R"({"pre_tokenizer":"x"})", "pre_tokenizer is \"x\"; accepted: an object"},
        {R"({"pre_tokenizer":{"add_prefix_space":null}})", "\"add_prefix_space\" is missing"},
        {R"({"pre_tokenizer":{"type":"Split","pattern":"x"}})", "pre_tokenizer.pattern is \"x\""},
        {R"({"pre_tokenizer":{"type":"Split","pattern":{}}})", "\"Regex\" is missing"},
        {R"({"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a"},"behavior":"Cut"}})",
         "pre_tokenizer.behavior is \"Cut\"; accepted: Removed, Isolated"},
        {R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Sequence",
            "pretokenizers":[{"type":"Nope"}]}]}})",
         "pre_tokenizer.pretokenizers[0].pretokenizers[0].type is \"Nope\""},
    };
    for (const auto& [patch, reason] : cases) {
        EXPECT_THAT(refusal(patch), HasSubstr(reason)) << patch;
    }
}

TEST(TokenizerFile, with_a_bad_pattern_is_refused_with_place_offset_and_reason) {
    EXPECT_THAT(
        refusal(R"({"pre_tokenizer":{"type":"Split","behavior":"Isolated",
                            "pattern":{"Regex":"ab(c"}}})"),
        HasSubstr("pre_tokenizer.pattern.Regex: at byte 4 of the pattern: missing closing"));
    EXPECT_THAT(refusal(R"({"pre_tokenizer":{"type":"Split","behavior":"Isolated",
                            "pattern":{"Regex":"[a&&b]"}}})"),
                HasSubstr("pre_tokenizer.pattern.Regex: at byte 2 of the pattern: '&&'"));
}

TEST(TokenizerFile, with_bad_ids_is_refused) {
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"ab":-1}}})"),
                HasSubstr("model.vocab.ab is -1; accepted: a token id, 0 to 2147483647"));
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"ab":2147483648}}})"), HasSubstr("is 2147483648"));
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"ab":18446744073709551617}}})"),
                HasSubstr("is 1.8446744073709552e+19"));
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"ab":266.0}}})"), HasSubstr("is 266.0"));
    EXPECT_THAT(refusal_at("/model/vocab/ab", nullptr), HasSubstr("model.vocab.ab is null"));
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"ab":"266"}}})"), HasSubstr("is \"266\""));
    EXPECT_THAT(refusal(R"({"model":{"vocab":{"xyz":267}}})"),
                AllOf(HasSubstr("model.vocab: the tokens"), HasSubstr("\"abc\""),
                      HasSubstr("\"xyz\""), HasSubstr("the same id 267")));
    EXPECT_THAT(refusal_of_text(R"({"model":{"type":"BPE","vocab":{},"merges":[]}})"),
                HasSubstr("model.vocab is an object; accepted: at least one token"));
}

TEST(TokenizerFile, may_leave_holes_between_its_ids) {
    auto file = tiny_tokenizer::file();
    file["model"]["vocab"]["far"] = 2147483647;
    const auto tokenizer = tiny_tokenizer::make(file);
    EXPECT_EQ(tokenizer.largest_id(), 2147483647);
    EXPECT_EQ(tokenizer.vocab_size(), 3U + 256 + 3 + 1);
    EXPECT_EQ(tokenizer.decode(std::vector{266, 5000, 2147483647}), "abfar");
    EXPECT_EQ(tokenizer.token(5000), std::nullopt);
}

TEST(TokenizerFile, with_bad_merges_is_refused) {
    const std::pair<json, const char*> cases[] = {
        {json::array({"a b c"}), "model.merges[0] is \"a b c\"; accepted: two tokens"},
        {json::array({"ab"}), "model.merges[0] is \"ab\""},
        {json::array({"a b", json::array({"a"})}), "model.merges[1] is a list of 1"},
        {json::array({json::array({"a", 7})}), "model.merges[0][1] is 7; accepted: a string"},
        {json::array({7}), "model.merges[0] is 7"},
        {json::array({"a zz"}), "model.merges[0]: the token \"zz\" is not in the vocabulary"},
        {json::array({"b a"}), "model.merges[0]: the token \"ba\" is not in the vocabulary"},
    };
    for (const auto& [merges, reason] : cases) {
        EXPECT_THAT(refusal_at("/model/merges", merges), HasSubstr(reason)) << merges;
    }
    EXPECT_EQ(refusal_at("/model/merges", json::array({"a b", "ab c"})), "");
}

TEST(TokenizerFile, with_bad_added_tokens_is_refused) {
    using tiny_tokenizer::added;
    const auto with = [](const json& token) {
        return refusal_at("/added_tokens", json::array({added(300, "<x>"), token}));
    };
    EXPECT_EQ(with(added(301, "<y>")), "");
    EXPECT_THAT(with(added(301, "")), HasSubstr("added_tokens[1].content is \"\"; accepted: 1 to"));
    EXPECT_THAT(with(added(301, std::string(2'000, 'x'))), HasSubstr("1 to 1024 bytes"));
    EXPECT_THAT(with(added(301, "<x>")), HasSubstr("added_tokens[1].content is \"<x>\"; accepted"));
    EXPECT_THAT(with(added(300, "<y>")),
                HasSubstr("added_tokens[1].id is 300; accepted: an id of"));
    EXPECT_THAT(with(added(266, "<y>")), HasSubstr("this one is \"ab\"'s"));
    EXPECT_THAT(with(added(301, "ab")), HasSubstr("added_tokens[1].id is 301; accepted: 266"));
    EXPECT_THAT(with(added(-4, "<y>")), HasSubstr("added_tokens[1].id is -4"));
    auto without = added(301, "<y>");
    without.erase("lstrip");
    EXPECT_THAT(with(without), HasSubstr("added_tokens[1]: \"lstrip\" is missing"));
}

TEST(TokenizerFile, with_a_bad_template_is_refused) {
    const auto with = [](const std::string& single, const std::string& ids) {
        return refusal(R"({"post_processor":{"type":"TemplateProcessing","single":)" + single +
                       R"(,"special_tokens":{"<s>":{"id":"<s>","ids":)" + ids + "}}}}");
    };
    const std::string text = R"({"Sequence":{"id":"A","type_id":0}})";
    const std::string bos = R"({"SpecialToken":{"id":"<s>","type_id":0}})";
    EXPECT_EQ(with("[" + bos + "," + text + "]", "[1]"), "");
    EXPECT_THAT(with("[" + bos + "]", "[1]"), HasSubstr("post_processor.single is a list of 1"));
    EXPECT_THAT(with("[" + text + "," + text + "]", "[1]"), HasSubstr("exactly one"));
    EXPECT_THAT(with(R"([{"Sequence":{"id":"B"}}])", "[1]"), HasSubstr("single[0].Sequence.id"));
    EXPECT_THAT(with(R"([{"SpecialToken":{"id":"</s>"}}])", "[1]"),
                HasSubstr("post_processor.special_tokens: \"</s>\" is missing"));
    EXPECT_THAT(with("[" + bos + "," + text + "]", "[777]"),
                HasSubstr("post_processor adds the id 777, which no token has"));
    EXPECT_THAT(with("[" + bos + "," + text + "]", "[-1]"), HasSubstr("ids[0] is -1"));
}

TEST(TokenizerFile, that_is_no_file_is_refused) {
    const scratch::Directory directory;
    const auto message = [](const std::filesystem::path& file) {
        return scratch::message_of([&] { Tokenizer::open(file); });
    };
    EXPECT_THAT(message("/nowhere/tokenizer.json"), HasSubstr("/nowhere/tokenizer.json"));
    EXPECT_THAT(message(directory.path()), HasSubstr("is a directory, not a regular file"));
    EXPECT_THAT(message(directory.write("empty.json", "")), HasSubstr("is empty"));
    const auto sparse = directory.write("sparse.json", "x");
    std::filesystem::resize_file(sparse, std::uintmax_t{2} << 30);
    EXPECT_THAT(message(sparse), HasSubstr("2147483648 bytes; a tokenizer.json takes up to"));
}

}  // namespace

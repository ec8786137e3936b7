// SPDX-License-Identifier: Apache-2.0
// Text in and out of tare-engine: prompts, what is printed, tokenize and detokenize, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"

namespace {

namespace fs = std::filesystem;
using fakes::engine, fakes::json_lines, fakes::small_bf16;
using nlohmann::json;
using testing::AllOf, testing::HasSubstr;
using Arguments = std::vector<std::string>;

const std::string text = "In the beginning God created";

// COMMAND --model small-bf16 MORE...
fakes::Result run(const std::string& command, Arguments more, const std::string& input = "") {
    more.insert(more.begin(), {command, "--model", small_bf16});
    return engine(more, {.stdin_text = input});
}

json object_of(const fakes::Result& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out).back();
}

fakes::Result generate(Arguments more) {
    more.insert(more.begin(), {"--max-tokens", "12"});
    return run("generate", more);
}

json generated(Arguments more) {
    more.push_back("--json");
    return object_of(generate(more));
}

void expect_refused(const fakes::Result& result, const std::string& reason) {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(reason));
    EXPECT_EQ(result.out, "");
}

// A copy of the small model, by links, without some of its files.
class ModelCopy {
  public:
    explicit ModelCopy(const std::vector<std::string>& without) {
        for (const auto& entry : fs::directory_iterator(small_bf16)) {
            const auto name = entry.path().filename().string();
            if (std::find(without.begin(), without.end(), name) != without.end()) continue;
            fs::create_symlink(entry.path(), folder_.path() / name);
        }
    }

    std::string path() const { return folder_.path().string(); }

    void write(const std::string& name, const std::string& content) const {
        folder_.write(name, content);
    }

    fakes::Result generate(Arguments more) const {
        more.insert(more.begin(), {"generate", "--model", path(), "--max-tokens", "3"});
        return engine(more);
    }

  private:
    fakes::TemporaryFolder folder_;
};

TEST(Prompt, is_tokenized_without_a_beginning_unless_asked) {
    const auto ids = object_of(run("tokenize", {"--prompt", text, "--json"})).at("tokens");
    EXPECT_EQ(generated({"--prompt", text}).at("prompt_tokens"), ids);
    auto with_bos = ids;
    with_bos.insert(with_bos.begin(), 1);
    const auto object = generated({"--prompt", text, "--bos"});
    EXPECT_EQ(object.at("prompt_tokens"), with_bos);
    EXPECT_EQ(generated({"--tokens", "45,81", "--bos"}).at("prompt_tokens"), (json{1, 45, 81}));
}

TEST(Prompt, may_come_from_a_file) {
    const fakes::TemporaryFolder folder;
    const auto file = folder.write("prompt.txt", text).string();
    EXPECT_EQ(generated({"--prompt-file", file}), generated({"--prompt", text}));
    const auto scores = object_of(run("score", {"--prompt-file", file, "--bos", "--json"}));
    EXPECT_EQ(scores, object_of(run("score", {"--prompt", text, "--bos", "--json"})));
    EXPECT_GT(scores.at("nll").size(), 3U);
}

TEST(Prompt, special_tokens_in_it_are_those_tokens) {
    EXPECT_EQ(generated({"--prompt", "<s>a<|im_end|>"}).at("prompt_tokens").front(), 1);
    EXPECT_EQ(generated({"--prompt", "<s>a<|im_end|>"}).at("prompt_tokens").back(), 4);
}

TEST(Prompt, that_begins_a_text_already_gets_a_second_beginning_and_a_note) {
    const auto result = generate({"--prompt", "<s>a", "--bos", "--json"});
    EXPECT_EQ(object_of(result).at("prompt_tokens")[1], 1);
    EXPECT_THAT(result.err, HasSubstr("begins with the id 1 already"));
}

TEST(Prompt, needs_exactly_one_source) {
    expect_refused(generate({}), "no prompt was given; give one of --prompt TEXT");
    expect_refused(generate({"--prompt", "a", "--tokens", "1"}), "several prompts were given");
    expect_refused(generate({"--prompt", "a", "--prompt-file", "b"}), "several prompts");
    expect_refused(generate({"--prompt-file", "b", "--tokens-file", "c"}), "several prompts");
    expect_refused(generate({"--tokens", ""}), "no prompt was given");
}

TEST(Prompt, that_is_empty_is_refused) {
    const fakes::TemporaryFolder folder;
    expect_refused(generate({"--prompt", ""}), "--prompt: no tokens; at least 1 is needed");
    const auto file = folder.write("empty.txt", "").string();
    expect_refused(generate({"--prompt-file", file}), "empty.txt: no tokens");
    expect_refused(generate({"--tokens-file", folder.write("e.json", "[]").string()}),
                   "e.json: no tokens");
    EXPECT_EQ(generated({"--prompt", "", "--bos"}).at("prompt_tokens"), (json{1}));
}

TEST(Prompt, from_a_file_that_is_none_is_refused) {
    const fakes::TemporaryFolder folder;
    expect_refused(generate({"--prompt-file", "/nowhere.txt"}),
                   "/nowhere.txt: cannot be opened: No such file");
    expect_refused(generate({"--prompt-file", folder.path().string()}),
                   "is a directory, not a regular file");
    const auto latin = folder.write("latin.txt", "caf\xE9 noir").string();
    expect_refused(generate({"--prompt-file", latin}),
                   "latin.txt: the text is not UTF-8: byte 3 is 0xE9");
    const auto huge = folder.write("huge.txt", "x");
    fs::resize_file(huge, std::uintmax_t{2} << 30);
    expect_refused(generate({"--prompt-file", huge.string()}), "over the limit of 67108864");
}

TEST(Prompt, beyond_the_models_positions_is_refused_with_both_numbers) {
    const fakes::TemporaryFolder folder;
    std::string many;
    for (int i = 0; i < 9'000; ++i) many += "1";
    const auto file = folder.write("many.txt", many).string();
    expect_refused(generate({"--prompt-file", file}),
                   "9000 tokens exceed the model's max_position_embeddings of 8192");
}

TEST(MaxTokens, is_a_count_that_fits) {
    const auto with = [](const std::string& count) {
        return run("generate", {"--tokens", "1", "--max-tokens", count});
    };
    for (const auto* count :
         {"0", "-1", "1000000000000000000", "1e18", "99999999999999999999", ""}) {
        expect_refused(with(count), "--max-tokens");
    }
    expect_refused(with("1099511627776"), "max_position_embeddings of 8192");
}

TEST(TokenIds, that_are_none_are_refused) {
    const fakes::TemporaryFolder folder;
    const std::pair<const char*, const char*> cases[] = {
        {"[-1]", "element 0 is -1"},
        {"[4096]", "token 4096 at position 0 is outside the model's vocabulary of 4096"},
        {"[1, 2.0]", "element 1 is 2.0"},
        {"[null]", "element 0 is null"},
        {"[9223372036854775808]", "element 0 is 9223372036854775808"},
        {"[4294967297]", "element 0 is 4294967297"},
        {"[1e400]", "not JSON"},
        {"[[1]]", "element 0 is a list of 1"},
        {R"({"a":1})", "holds a JSON object"},
    };
    for (const auto& [content, reason] : cases) {
        expect_refused(generate({"--tokens-file", folder.write("a.json", content).string()}),
                       reason);
    }
    std::string deep(1'000'000, '[');
    expect_refused(generate({"--tokens-file", folder.write("a.json", deep).string()}),
                   "nested deeper than 64 levels");
}

TEST(Generate, text_is_what_detokenize_makes_of_the_tokens) {
    const auto object = generated({"--prompt", text, "--bos"});
    std::string list;
    for (const auto& id : object.at("tokens")) list += (list.empty() ? "" : ",") + id.dump();
    const auto decoded =
        object_of(run("detokenize", {"--tokens", list, "--skip-special", "--json"}));
    EXPECT_EQ(object.at("text"), decoded.at("text"));
    EXPECT_FALSE(object.at("text").get<std::string>().empty());
}

TEST(Generate, without_json_streams_the_same_text_and_nothing_else_to_stdout) {
    const auto object = generated({"--prompt", text, "--bos"});
    const auto result = generate({"--prompt", text, "--bos"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, object.at("text").get<std::string>() + "\n");
    EXPECT_THAT(result.err, HasSubstr("prompt tokens in"));
}

TEST(Generate, a_planted_token_shows_in_the_text) {
    const auto clean = generate({"--prompt", text, "--bos"});
    const Arguments faulty{"--prompt", text, "--bos", "--fault", "token:0:2"};
    const auto planted = generate(faulty);
    EXPECT_EQ(planted.out, generated(faulty).at("text").get<std::string>() + "\n");
    EXPECT_NE(planted.out, clean.out);
}

TEST(Generate, of_a_model_without_tokenizer_has_ids_and_says_why) {
    const ModelCopy model({"tokenizer.json"});
    const auto result = model.generate({"--tokens", "1,45", "--json"});
    EXPECT_TRUE(object_of(result).at("text").is_null());
    EXPECT_THAT(result.err, HasSubstr("has no tokenizer.json: tokens, but no text"));
    const auto plain = model.generate({"--tokens", "1,45"});
    EXPECT_EQ(plain.exit_code, 0);
    EXPECT_EQ(std::count(plain.out.begin(), plain.out.end(), ','), 2);
    expect_refused(model.generate({"--prompt", "a"}), "has no tokenizer.json");
    expect_refused(engine({"tokenize", "--model", model.path(), "--prompt", "a"}),
                   "has no tokenizer.json");
}

TEST(Generate, of_a_model_with_a_broken_tokenizer_is_refused_with_its_place) {
    const ModelCopy model({"tokenizer.json"});
    model.write("tokenizer.json", R"({"model":{"type":"WordPiece"}})");
    expect_refused(model.generate({"--tokens", "1"}),
                   "tokenizer.json: model.type is \"WordPiece\"; accepted: \"BPE\"");
}

TEST(Bos, is_asked_of_both_configs) {
    const ModelCopy model({"generation_config.json", "config.json"});
    auto config = json::parse(std::ifstream(small_bf16 + "/config.json"));
    config["bos_token_id"] = 7;
    model.write("config.json", config.dump());
    EXPECT_EQ(object_of(model.generate({"--tokens", "9", "--bos", "--json"})).at("prompt_tokens"),
              (json{7, 9}));
    model.write("generation_config.json", R"({"bos_token_id":8})");
    EXPECT_EQ(object_of(model.generate({"--tokens", "9", "--bos", "--json"})).at("prompt_tokens"),
              (json{8, 9}));
    config.erase("bos_token_id");
    model.write("config.json", config.dump());
    model.write("generation_config.json", "{}");
    expect_refused(model.generate({"--tokens", "9", "--bos"}), "--bos: neither");
}

TEST(GenerationConfig, that_is_broken_is_refused_with_file_and_key) {
    const ModelCopy model({"generation_config.json"});
    model.write("generation_config.json", R"({"eos_token_id":"</s>"})");
    expect_refused(model.generate({"--tokens", "1"}),
                   "generation_config.json: \"eos_token_id\" is \"</s>\"; accepted:");
    model.write("generation_config.json", "{");
    expect_refused(model.generate({"--tokens", "1"}), "generation_config.json: not JSON");
}

TEST(Tokenize, prints_ids_as_tokens_takes_them) {
    const auto plain = run("tokenize", {"--prompt", text});
    const auto object = object_of(run("tokenize", {"--prompt", text, "--json"}));
    auto list = plain.out;
    list.pop_back();
    EXPECT_EQ(object_of(run("detokenize", {"--tokens", list, "--json"})).at("text"), text);
    EXPECT_EQ(run("detokenize", {"--tokens", list}).out, text + "\n");
    EXPECT_EQ(json::parse("[" + list + "]"), object.at("tokens"));
}

TEST(Tokenize, works_line_by_line) {
    const auto ids = run("tokenize", {"--jsonl", "-"}, "\"In the\"\n\"\"\n\"\\u00e9\\n\"");
    EXPECT_EQ(ids.exit_code, 0) << ids.err;
    EXPECT_EQ(std::count(ids.out.begin(), ids.out.end(), '\n'), 3);
    EXPECT_THAT(ids.out, HasSubstr("\n[]\n"));
    const auto texts = run("detokenize", {"--jsonl", "-"}, ids.out);
    EXPECT_EQ(texts.out, "\"In the\"\n\"\"\n\"\u00E9\\n\"\n");
}

TEST(Tokenize, names_the_bad_line) {
    expect_refused(run("tokenize", {"--jsonl", "-"}, "{"), "standard input, line 1: not JSON");
    expect_refused(run("tokenize", {"--jsonl", "-"}, "[1]"), "line 1: a JSON array; accepted");
    expect_refused(run("tokenize", {"--jsonl", "-"}, "\"\xFF\""), "line 1: not JSON");
    expect_refused(run("detokenize", {"--jsonl", "-"}, "\"a\""), "holds a JSON string");
    expect_refused(run("detokenize", {"--jsonl", "-"}, "[5000]"),
                   "standard input, line 1: element 0 is 5000, which no token");
    const auto late = run("detokenize", {"--jsonl", "-"}, "[45]\n[-1]");
    EXPECT_EQ(late.exit_code, 2);
    EXPECT_THAT(late.err, HasSubstr("line 2: element 0 is -1"));
}

TEST(Tokenize, needs_exactly_one_source) {
    expect_refused(run("tokenize", {}), "tokenize: no source was given; give one of --prompt TEXT");
    expect_refused(run("tokenize", {"--prompt", "a", "--jsonl", "-"}), "several sources were");
    expect_refused(run("detokenize", {}), "detokenize: no source was given");
    expect_refused(run("tokenize", {"--jsonl", "/nowhere"}), "/nowhere: cannot be opened");
}

}  // namespace

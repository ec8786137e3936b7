// SPDX-License-Identifier: Apache-2.0
// Scenario files: every error points at its place, and the identity is what it should be.
#include <gtest/gtest.h>

#include "scenarios/plan/prompt.h"
#include "scenarios/plan/resolve.h"
#include "tests/fakes/temporary.h"

namespace {

using scenarios::plan::load_scenario;
using scenarios::plan::Scenario;
using scenarios::plan::ScenarioError;

const std::string good = R"(name = "small"
about = "a test"
model = "m"
workload = "decode"
decode_tokens = 4
warm_up = 1
reps = 2
rounds = 3
profiled_rounds = 1
time_limit_s = 7.5
arguments = ["--isa", "baseline"]
[prompt]
file = "p.json"
[metrics]
decode_wall_ns = { margin = "2%" }
)";

class ScenarioFile : public testing::Test {
  protected:
    ScenarioFile() {
        folder_.write("m/config.json", R"({"vocab_size": 50})");
        folder_.write("p.json", "[1, 2, 3]");
    }

    Scenario load(const std::string& text, const std::string& backend = "cpu") {
        return load_scenario(folder_.write("s.toml", text), backend);
    }

    std::string identity(const std::string& text) { return scenarios::plan::identity(load(text)); }

    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }

    // The error of `good` with one replacement, checked for its place.
    std::string error(const std::string& from, const std::string& to, int line, int column) {
        return error_of(replaced(good, from, to), line, column);
    }

    std::string error_of(const std::string& text, int line, int column) {
        try {
            load(text);
        } catch (const ScenarioError& seen) {
            EXPECT_EQ(seen.place.line, line) << seen.what();
            EXPECT_EQ(seen.place.column, column) << seen.what();
            const std::string where =
                "s.toml:" + std::to_string(line) + ":" + std::to_string(column) + ": ";
            EXPECT_NE(std::string(seen.what()).find(where), std::string::npos) << seen.what();
            return seen.what();
        }
        ADD_FAILURE() << "accepted:\n" << text;
        return "";
    }

    std::string message_of(const std::string& text) {
        try {
            load(text);
        } catch (const ScenarioError& seen) {
            return seen.what();
        }
        ADD_FAILURE() << "accepted:\n" << text;
        return "";
    }

    fakes::TemporaryFolder folder_;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ScenarioFile, every_value_arrives) {
    const Scenario s = load(good);
    EXPECT_EQ(s.name, "small");
    EXPECT_EQ(s.about, "a test");
    EXPECT_EQ(s.model_folder, folder_.path() / "m");
    EXPECT_EQ(s.workload, scenarios::plan::Workload::decode);
    EXPECT_EQ(s.decode_tokens, 4);
    EXPECT_EQ(s.warm_up, 1);
    EXPECT_EQ(s.reps, 2);
    EXPECT_EQ(s.rounds, 3);
    EXPECT_EQ(s.profiled_rounds, 1);
    EXPECT_EQ(s.time_limit_s, 7.5);
    EXPECT_EQ(s.arguments, (std::vector<std::string>{"--isa", "baseline"}));
    EXPECT_EQ(s.prompt.tokens, (std::vector<std::int32_t>{1, 2, 3}));
    ASSERT_EQ(s.metrics.size(), 1u);
    EXPECT_EQ(s.metrics[0].name, "decode_wall_ns");
    EXPECT_DOUBLE_EQ(s.metrics[0].margin, 0.02);
}

TEST_F(ScenarioFile, syntax_error_has_a_place) {
    EXPECT_HAS(error("reps = 2", "reps = = 2", 7, 8), "not TOML");
}

TEST_F(ScenarioFile, unknown_key_names_the_nearest) {
    const std::string message = error("warm_up = 1", "warmup = 1", 6, 1);
    EXPECT_HAS(message, "unknown key 'warmup' = 1");
    EXPECT_HAS(message, "Nearest known: 'warm_up'");
}

TEST_F(ScenarioFile, unknown_key_of_a_table_names_the_table) {
    EXPECT_HAS(error("file = \"p.json\"", "file = \"p.json\"\nfiel = 1", 14, 1), "in [prompt]");
}

TEST_F(ScenarioFile, wrong_type_shows_value_and_accepted_form) {
    const std::string message = error("reps = 2", "reps = \"two\"", 7, 8);
    EXPECT_HAS(message, "two");
    EXPECT_HAS(message, "a whole number from 1 to");
}

TEST_F(ScenarioFile, wrong_type_of_every_kind_has_a_place) {
    error("name = \"small\"", "name = 3", 1, 8);
    error("about = \"a test\"", "about = [1]", 2, 9);
    error("model = \"m\"", "model = 1.5", 3, 9);
    error("workload = \"decode\"", "workload = true", 4, 12);
    error("decode_tokens = 4", "decode_tokens = 4.0", 5, 17);
    error("rounds = 3", "rounds = []", 8, 10);
    error("time_limit_s = 7.5", "time_limit_s = \"7\"", 10, 16);
    error("arguments = [\"--isa\", \"baseline\"]", "arguments = \"--isa\"", 11, 13);
    error("arguments = [\"--isa\", \"baseline\"]", "arguments = [\"--isa\", 2]", 11, 23);
    error("{ margin = \"2%\" }", "\"2%\"", 15, 18);
}

TEST_F(ScenarioFile, impossible_value_of_every_kind_has_a_place) {
    error("warm_up = 1", "warm_up = -1", 6, 11);
    error("reps = 2", "reps = 0", 7, 8);
    error("rounds = 3", "rounds = 100000", 8, 10);
    error("time_limit_s = 7.5", "time_limit_s = 0", 10, 16);
    error("time_limit_s = 7.5", "time_limit_s = nan", 10, 16);
    error("decode_tokens = 4", "decode_tokens = 0", 5, 17);
    error("name = \"small\"", "name = \"Big Name\"", 1, 8);
    error("\"2%\"", "\"2\"", 15, 29);
    error("\"2%\"", "\"100%\"", 15, 29);
    error("\"2%\"", "\"-1%\"", 15, 29);
}

TEST_F(ScenarioFile, later_workload_is_known_and_refused) {
    const std::string message = error("workload = \"decode\"", "workload = \"serve\"", 4, 12);
    EXPECT_HAS(message, "not in this version");
}

TEST_F(ScenarioFile, misspelt_workload_names_the_nearest) {
    const std::string message = error("workload = \"decode\"", "workload = \"decod\"", 4, 12);
    EXPECT_HAS(message, "Nearest known: 'decode'");
}

TEST_F(ScenarioFile, a_build_is_read_and_checked) {
    EXPECT_HAS(error_of(good + "[build]\ncommand = \"x\"\n", 16, 1), "artefact is missing");
}

TEST_F(ScenarioFile, unknown_metric_is_an_error) {
    EXPECT_HAS(error("decode_wall_ns", "decode_wal_ns", 15, 1), "Nearest known: 'decode_wall_ns'");
}

TEST_F(ScenarioFile, prefill_with_decode_tokens_is_an_error) {
    EXPECT_HAS(error("workload = \"decode\"", "workload = \"prefill\"", 5, 17), "has no use");
}

TEST_F(ScenarioFile, decode_without_decode_tokens_is_an_error) {
    EXPECT_HAS(error("decode_tokens = 4\n", "", 1, 1), "decode_tokens");
}

TEST_F(ScenarioFile, missing_keys_are_named) {
    EXPECT_HAS(error("name = \"small\"", "", 1, 1), "name = ");
    EXPECT_HAS(error("model = \"m\"", "", 1, 1), "model = ");
    EXPECT_HAS(error("workload = \"decode\"", "", 1, 1), "workload = ");
    EXPECT_HAS(error("[prompt]\nfile = \"p.json\"", "", 1, 1), "[prompt]");
}

TEST_F(ScenarioFile, prompt_is_either_file_or_seed_with_count) {
    error("file = \"p.json\"", "file = \"p.json\"\nseed = 1", 12, 1);
    error("file = \"p.json\"", "seed = 1", 12, 1);
    error("file = \"p.json\"", "count = 1", 12, 1);
}

TEST_F(ScenarioFile, prompt_that_cannot_be_read_points_at_its_key) {
    EXPECT_HAS(error("p.json", "q.json", 13, 8), "q.json");
    folder_.write("q.json", "[1, -2]");
    EXPECT_HAS(error("p.json", "q.json", 13, 8), "element 1 is -2");
    folder_.write("q.json", "{}");
    EXPECT_HAS(error("p.json", "q.json", 13, 8), "list of token ids");
    folder_.write("q.json", "[1,");
    EXPECT_HAS(error("p.json", "q.json", 13, 8), "not JSON");
}

TEST_F(ScenarioFile, prompt_of_a_tensor_is_read) {
    const std::string file = TARE_SOURCE_DIR "/tests/golden/public-bf16.safetensors";
    folder_.write("m/config.json", R"({"vocab_size": 5000})");
    const auto prompt = load(replaced(good, "p.json", file + ":doc64.tokens")).prompt;
    EXPECT_EQ(prompt.tokens.size(), 64u);
    EXPECT_EQ(prompt.spec, file + ":doc64.tokens");
    EXPECT_HAS(error("p.json", file + ":no_such_tensor", 13, 8), "no_such_tensor");
    EXPECT_HAS(error("p.json", file + ":doc64.margin", 13, 8), "want I32 or I64");
}

TEST_F(ScenarioFile, model_without_config_points_at_its_key) {
    EXPECT_HAS(error("model = \"m\"", "model = \"n\"", 3, 9), "no config.json");
    EXPECT_EQ(load(replaced(good, "model = \"m\"", "model = \"synthetic:big\"")).model_folder,
              "synthetic:big");  // the engine's to know
    EXPECT_HAS(error_of(replaced(replaced(good, "file = \"p.json\"", "seed = 1\ncount = 2"),
                                 "model = \"m\"", "model = \"synthetic:big\""),
                        12, 1),
               "needs the vocabulary");
}

TEST_F(ScenarioFile, missing_file_says_so) {
    try {
        load_scenario(folder_.path() / "none.toml", "cpu");
        FAIL() << "loaded";
    } catch (const ScenarioError& error) {
        EXPECT_HAS(std::string(error.what()), "none.toml: cannot be read");
    }
}

TEST_F(ScenarioFile, variant_overrides_only_its_backend) {
    const std::string text = good + "[variant.cuda]\nreps = 9\n[variant.cpu]\nrounds = 5\n";
    EXPECT_EQ(load(text, "cpu").reps, 2);
    EXPECT_EQ(load(text, "cpu").rounds, 5);
    EXPECT_EQ(load(text, "cuda").reps, 9);
    EXPECT_EQ(load(text, "cuda").rounds, 3);
}

TEST_F(ScenarioFile, variant_not_asked_for_is_checked_too) {
    error_of(good + "[variant.cuda]\nreps = 0\n", 17, 8);
    error_of(good + "[variant.metal]\nreps = 1\n", 16, 10);
}

TEST_F(ScenarioFile, seeded_prompt_stays_below_the_vocabulary_and_follows_the_seed) {
    const auto seeded = [&](const std::string& seed) {
        return load(replaced(good, "file = \"p.json\"", "seed = " + seed + "\ncount = 400")).prompt;
    };
    const auto prompt = seeded("1");
    ASSERT_EQ(prompt.tokens.size(), 400u);
    for (const std::int32_t token : prompt.tokens) {
        EXPECT_GE(token, 0);
        EXPECT_LT(token, 50);
    }
    EXPECT_EQ(prompt.sha256, seeded("1").sha256);
    EXPECT_NE(prompt.sha256, seeded("2").sha256);
}

TEST_F(ScenarioFile, identity_is_the_sha256_of_the_canonical_json) {
    EXPECT_EQ(scenarios::plan::canonical_json(load(good)),
              R"({"arguments":["--isa","baseline"],"backend":"cpu","decode_tokens":4,)"
              R"("metrics":{"decode_wall_ns":{"margin":0.02}},"model":"m","name":"small",)"
              R"("profiled_rounds":1,"prompt":{"sha256":)"
              R"("4636993d3e1da4e9d6b8f87b79e8f7c6d018580d52661950eabc3845c5897a4d","tokens":3},)"
              R"("reps":2,"rounds":3,"time_limit_s":7.5,"warm_up":1,"workload":"decode"})");
    EXPECT_EQ(identity(good).size(), 64u);
}

TEST_F(ScenarioFile, identity_ignores_comments_order_and_sentences) {
    EXPECT_EQ(identity(good), identity("# a comment\n" + replaced(good, "a test", "another test")));
    EXPECT_EQ(identity(good), identity(replaced(replaced(good, "reps = 2\n", ""), "rounds = 3",
                                                "reps=2\nrounds = 3")));
}

TEST_F(ScenarioFile, identity_follows_every_value) {
    const std::string same = identity(good);
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"small\"", "\"smaller\""},
             {"decode_tokens = 4", "decode_tokens = 5"},
             {"warm_up = 1", "warm_up = 2"},
             {"reps = 2", "reps = 3"},
             {"rounds = 3", "rounds = 4"},
             {"profiled_rounds = 1", "profiled_rounds = 2"},
             {"7.5", "8"},
             {"baseline", "avx2"},
             {"2%", "3%"},
             {"decode_wall_ns", "cold_start_ns"}})
        EXPECT_NE(same, identity(replaced(good, from, to))) << to;
    folder_.write("p.json", "[1, 2, 4]");
    EXPECT_NE(same, identity(good));
}

TEST(ShippedScenarios, load) {
    const std::filesystem::path folder = TARE_SOURCE_DIR "/scenarios";
    EXPECT_EQ(load_scenario(folder / "prefill-4k.toml", "cpu").prompt.tokens.size(), 4314u);
    const Scenario decode = load_scenario(folder / "decode-64.toml", "cpu");
    EXPECT_EQ(decode.prompt.tokens.size(), 256u);
    EXPECT_EQ(decode.decode_tokens, 64);
    const Scenario score = load_scenario(folder / "score-texts.toml", "cpu");
    EXPECT_EQ(score.prompt.texts, std::vector<std::int64_t>(7, 512));
    const Scenario moe = load_scenario(folder / "moe-gather.toml", "cpu");
    ASSERT_EQ(moe.arms.size(), 2u);
    EXPECT_EQ(moe.arms[0].name, "gather");
    EXPECT_EQ(moe.arms[1].name, "dense");
}

const std::string command = R"(name = "app"
workload = "command"
command = ["{program}", "--size", "8"]
[metrics]
process_wall_ns = { margin = "5%" }
"http/p99" = { margin = "10%" }
)";

TEST_F(ScenarioFile, command_needs_neither_model_nor_prompt_and_profiles_only_when_asked) {
    const Scenario scenario = load(command);
    EXPECT_EQ(scenario.workload, scenarios::plan::Workload::command);
    EXPECT_EQ(scenario.command, (std::vector<std::string>{"{program}", "--size", "8"}));
    EXPECT_TRUE(takes_program(scenario));
    EXPECT_EQ(scenario.profiled_rounds, 0);
    EXPECT_EQ(scenario.reps, 1);
    EXPECT_EQ(scenario.warm_up, 0);
    ASSERT_EQ(scenario.metrics.size(), 2u);
    EXPECT_EQ(scenario.metrics[0].name, "http/p99");
    EXPECT_EQ(scenario.directory, folder_.path());
}

TEST_F(ScenarioFile, command_is_part_of_the_identity_and_its_place_is_not) {
    EXPECT_EQ(identity(command), identity("about = \"x\"\n" + command));
    EXPECT_NE(identity(command), identity(replaced(command, "\"8\"", "\"9\"")));
}

TEST_F(ScenarioFile, keys_of_the_engine_have_no_use_with_a_command_and_the_other_way_round) {
    for (const std::string key : {"model = \"m\"", "decode_tokens = 4", "warm_up = 1", "reps = 2",
                                  "prompt = { file = \"p.json\" }"}) {
        const std::string message = message_of(key + "\n" + command);
        EXPECT_NE(message.find("s.toml:1:"), std::string::npos) << message;
        EXPECT_NE(message.find("has no use with workload = \"command\""), std::string::npos)
            << message;
    }
    EXPECT_NE(message_of("command = [\"a\"]\n" + good).find("command has no use with"),
              std::string::npos);
}

TEST_F(ScenarioFile, command_without_a_program_is_refused) {
    for (const std::string value : {"[]", "[\"\"]"})
        EXPECT_NE(message_of(replaced(command, "[\"{program}\", \"--size\", \"8\"]", value))
                      .find("names no program"),
                  std::string::npos);
    EXPECT_NE(message_of("name = \"a\"\nworkload = \"command\"\n").find("missing key"),
              std::string::npos);
    EXPECT_NE(message_of(command + "\"a b\" = { margin = \"1%\" }\n").find("a metric named"),
              std::string::npos);
}

}  // namespace

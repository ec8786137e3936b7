// SPDX-License-Identifier: Apache-2.0
// Scenario and prompt files nobody meant well: each refused with its place, none waited for, none
// read for ever.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "scenarios/plan/find.h"
#include "scenarios/plan/prompt.h"
#include "scenarios/plan/resolve.h"
#include "scenarios/plan/values.h"
#include "tests/fakes/temporary.h"

namespace {

using scenarios::plan::load_scenario;
using scenarios::plan::parse_scenario;
using scenarios::plan::Scenario;
using scenarios::plan::ScenarioError;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

const std::string good = R"(name = "small"
model = "m"
workload = "prefill"
[prompt]
file = "p.json"
)";

std::string refusal(const std::function<void()>& body) {
    try {
        body();
    } catch (const ScenarioError& error) {
        const std::string message = error.what();
        EXPECT_LT(message.size(), 1000u) << message.substr(0, 2000);
        for (const char c : message) EXPECT_TRUE(c >= 0x20 || c < 0) << message;
        return message;
    }
    ADD_FAILURE() << "accepted";
    return "";
}

class HostileScenario : public testing::Test {
  protected:
    HostileScenario() {
        folder_.write("m/config.json", R"({"vocab_size": 50})");
        folder_.write("p.json", "[1, 2, 3]");
    }

    std::string refused(const std::string& text) {
        const auto file = folder_.write("s.toml", text);
        return refusal([&] { load_scenario(file, "cpu"); });
    }

    // `good` with one of its texts replaced.
    std::string refused(const std::string& from, const std::string& to) {
        std::string text = good;
        return refused(text.replace(text.find(from), from.size(), to));
    }

    std::string refused_prompt(const std::string& content) {
        folder_.write("p.json", content);
        return refused(good);
    }

    fakes::TemporaryFolder folder_;
};

TEST_F(HostileScenario, name_that_is_no_name_is_refused_whatever_it_is) {
    for (const char* name : {"a/b", "..", "../../etc", "a\\u0007b", "a\\nb", "\\u0000", "A", " "})
        EXPECT_HAS(refused("\"small\"", std::string("\"") + name + "\""), "s.toml:1:8: name = ");
    EXPECT_HAS(refused("\"small\"", '"' + std::string(65, 'a') + '"'), "at most 64");
}

TEST_F(HostileScenario, value_of_a_megabyte_is_refused_and_not_printed) {
    EXPECT_HAS(refused("\"small\"", '"' + std::string(1 << 20, 'a') + '"'), "at most 262144");
    EXPECT_HAS(refused("\"small\"", '"' + std::string(5000, 'a') + '"'),
               "s.toml:1:1: the line has");
}

TEST_F(HostileScenario, key_of_any_length_or_bytes_is_refused_with_its_place) {
    EXPECT_HAS(refused(good + std::string(900, 'k') + " = 1\n"), "s.toml:6:1: unknown key");
    EXPECT_HAS(refused(good + "\"a\\u0001b\" = 1\n"), "unknown key \"a\\x01b\"");
}

TEST_F(HostileScenario, impossible_numbers_are_refused_with_limit_and_place) {
    EXPECT_HAS(refused(good + "x = 1\n"), "unknown key 'x'");
    for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
             {"reps = 1000000000000000000", "from 1 to 100000"},
             {"reps = 1e18", "from 1 to 100000"},
             {"reps = 99999999999999999999", "not TOML"},
             {"rounds = -1", "from 0 to 1000"},
             {"profiled_rounds = -9223372036854775808", "from 0 to 1000"},
             {"time_limit_s = inf", "at most 86400"},
             {"time_limit_s = -nan", "at most 86400"},
             {"decode_tokens = 0", "from 1 to"},
             {"metrics = { prefill_wall_ns = { margin = nan } }", "margin"},
             {"metrics = { prefill_wall_ns = { margin = \"nan%\" } }", "above 0%"},
             {"metrics = { prefill_wall_ns = { margin = \"inf%\" } }", "above 0%"},
             {"metrics = { prefill_wall_ns = { margin = \"1e400%\" } }", "above 0%"}})
        EXPECT_HAS(refused("workload", line + "\nworkload"), part);
}

TEST_F(HostileScenario, nothing_to_run_is_refused) {
    EXPECT_HAS(refused("workload", "rounds = 0\nprofiled_rounds = 0\nworkload"),
               "leave nothing to run");
}

TEST_F(HostileScenario, duplicate_keys_and_tables_are_refused) {
    EXPECT_HAS(refused("workload", "model = \"n\"\nworkload"), "s.toml:3:");
    EXPECT_HAS(refused(good + "[prompt]\n"), "s.toml:6:");
}

TEST_F(HostileScenario, byte_order_mark_is_no_error) {
    const auto file = folder_.write("s.toml", "\xef\xbb\xbf" + good);
    EXPECT_EQ(load_scenario(file, "cpu").name, "small");
}

TEST_F(HostileScenario, bytes_that_are_no_utf8_are_refused_with_their_place) {
    EXPECT_HAS(refused("\"small\"", "\"sm\xff\xfe\""), "s.toml:1:");
    EXPECT_HAS(refused(std::string("\0\0\0\0", 4)), "not TOML");
    EXPECT_HAS(refused("\"m\"", "\"m\xc3\""), "s.toml:2:");
}

TEST_F(HostileScenario, deep_nesting_is_refused_and_needs_no_stack) {
    EXPECT_HAS(refused(good + "x = " + std::string(900, '[') + "\n"), "s.toml:6:");
    std::string dots = "a";
    for (int i = 0; i < 450; ++i) dots += ".a";
    EXPECT_HAS(refused(good + "[" + dots + "]\n" + dots + " = 1\n"), "unknown key 'a'");
    EXPECT_HAS(refused(good + "[" + std::string(200'000, 'a') + "]\n"), "the line has");
}

TEST_F(HostileScenario, parser_takes_any_bytes_from_memory) {
    std::string text = good;
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char c : {'\0', '[', '"', '\xff', '='}) {
            std::string broken = text;
            broken[at] = c;
            try {
                parse_scenario(broken, "memory");
            } catch (const ScenarioError&) {
            }
        }
}

TEST_F(HostileScenario, pipe_folder_and_device_are_refused_at_once) {
    ASSERT_EQ(mkfifo((folder_.path() / "f.toml").c_str(), 0600), 0);
    for (const auto& [file, kind] : std::vector<std::pair<std::string, std::string>>{
             {(folder_.path() / "f.toml").string(), "a pipe"},
             {folder_.path().string(), "a folder"},
             {"/dev/zero", "a device"}}) {
        EXPECT_HAS(refusal([&] { load_scenario(file, "cpu"); }), kind);
        try {
            scenarios::plan::find_scenario(file, {});
            ADD_FAILURE() << file;
        } catch (const scenarios::plan::NotFound& error) {
            EXPECT_HAS(std::string(error.what()), kind);
        }
    }
}

TEST_F(HostileScenario, prompt_that_is_a_pipe_a_folder_or_a_device_is_refused_at_once) {
    ASSERT_EQ(mkfifo((folder_.path() / "f").c_str(), 0600), 0);
    for (const std::string name : {"f", "m", "/dev/zero"})
        for (const std::string suffix : {"", ":tokens"}) {
            std::string file = name + suffix;
            const std::string message = refused("p.json", file);
            EXPECT_HAS(message, "s.toml:5:8: ");
            EXPECT_HAS(message, "not a file");
        }
}

TEST_F(HostileScenario, model_config_that_is_a_device_is_refused_at_once) {
    std::filesystem::remove(folder_.path() / "m/config.json");
    std::filesystem::create_symlink("/dev/zero", folder_.path() / "m/config.json");
    EXPECT_HAS(refused(good), "config.json");
}

TEST_F(HostileScenario, prompt_of_any_other_form_is_refused_with_the_element) {
    EXPECT_HAS(refused_prompt(""), "not JSON");
    EXPECT_HAS(refused_prompt("[]"), "list without elements");
    EXPECT_HAS(refused_prompt("[1, 1e18]"), "element 1");
    EXPECT_HAS(refused_prompt("[1, 18446744073709551615]"), "element 1");
    EXPECT_HAS(refused_prompt("[1, null]"), "element 1 is null");
    EXPECT_HAS(refused_prompt("[[1]]"), "element 0 is a list of 1");
    EXPECT_HAS(refused_prompt("[\"" + std::string(100'000, 'x') + "\"]"), "element 0");
    EXPECT_HAS(refused_prompt("[\"\xff\"]"), "not JSON");
    EXPECT_HAS(refused_prompt(std::string(1'000'000, '[')), "nested deeper than 64");
}

TEST_F(HostileScenario, prompt_token_beyond_the_vocabulary_is_refused_before_anything_runs) {
    EXPECT_HAS(refused_prompt("[1, 2, 50]"), "element 2 is 50; the model's vocabulary ends at 49");
}

TEST_F(HostileScenario, texts_are_for_scoring_alone) {
    const std::string texts =
        R"([{"name": "a", "tokens": [1, 2]}, {"name": "b", "tokens": [3, 4]}])";
    EXPECT_HAS(refused_prompt(texts), "which workload = \"score\" takes");
    std::string text = good;
    text.replace(text.find("prefill"), 7, "score");
    const Scenario scored = load_scenario(folder_.write("t.toml", text), "cpu");
    EXPECT_EQ(scored.prompt.tokens, (std::vector<std::int32_t>{1, 2, 3, 4}));
    EXPECT_EQ(scored.prompt.texts, (std::vector<std::int64_t>{2, 2}));
    folder_.write("p.json",
                  R"([{"name": "a", "tokens": [1, 2, 3]}, {"name": "b", "tokens": [4]}])");
    EXPECT_HAS(refused(text), "text 1 has one token; a loss needs at least 2");
    folder_.write("p.json", R"([{"name": "a", "tokens": [1, 2]}, [3]])");
    EXPECT_HAS(refused(text), "text 1 is no object");
    folder_.write("p.json", R"([{"name": "a", "token": [1, 2]}])");
    EXPECT_HAS(refused(text), "want {\"name\"");
}

TEST_F(HostileScenario, where_texts_end_is_part_of_the_identity) {
    std::string text = good;
    text.replace(text.find("prefill"), 7, "score");
    const auto identity = [&](const std::string& prompt) {
        folder_.write("p.json", prompt);
        return scenarios::plan::identity(load_scenario(folder_.write("t.toml", text), "cpu"));
    };
    EXPECT_NE(identity(R"([{"name": "a", "tokens": [1, 2]}, {"name": "b", "tokens": [3, 4, 5]}])"),
              identity(R"([{"name": "a", "tokens": [1, 2, 3]}, {"name": "b", "tokens": [4, 5]}])"));
}

class ScenarioArms : public HostileScenario {};

TEST_F(ScenarioArms, stand_in_the_order_of_the_file) {
    const auto file = folder_.write("s.toml", good + R"([arms.zebra]
about = "first"
args = ["--moe", "gather"]
[arms.ant]
args = ["--moe", "dense"]
env = { OMP_NUM_THREADS = "2" }
)");
    const Scenario scenario = load_scenario(file, "cpu");
    ASSERT_EQ(scenario.arms.size(), 2u);
    EXPECT_EQ(scenario.arms[0].name, "zebra");
    EXPECT_EQ(scenario.arms[0].about, "first");
    EXPECT_EQ(scenario.arms[1].name, "ant");
    EXPECT_EQ(scenario.arms[1].arguments, (std::vector<std::string>{"--moe", "dense"}));
    EXPECT_EQ(scenario.arms[1].environment.at("OMP_NUM_THREADS"), "2");
}

TEST_F(ScenarioArms, are_part_of_the_identity_and_their_sentences_are_not) {
    const auto identity = [&](const std::string& arms) {
        return scenarios::plan::identity(
            load_scenario(folder_.write("s.toml", good + arms), "cpu"));
    };
    const std::string one = identity("[arms.a]\nargs = [\"x\"]\n");
    EXPECT_NE(one, identity(""));
    EXPECT_NE(one, identity("[arms.a]\nargs = [\"y\"]\n"));
    EXPECT_NE(one, identity("[arms.b]\nargs = [\"x\"]\n"));
    EXPECT_NE(one, identity("[arms.a]\nargs = [\"x\"]\nenv = { A = \"1\" }\n"));
    EXPECT_EQ(one, identity("[arms.a]\nabout = \"words\"\nargs = [\"x\"]\n"));
}

TEST_F(ScenarioArms, are_refused_with_their_place) {
    EXPECT_HAS(refused(good + "[arms]\n"), "[arms] has 0 arms");
    EXPECT_HAS(refused(good + "arms = 3\n"), "[prompt]");
    EXPECT_HAS(refused("name", "arms = 3\nname"), "s.toml:1:8: arms = 3");
    EXPECT_HAS(refused(good + "[arms.\"a/b\"]\n"), "an arm named \"a/b\"");
    EXPECT_HAS(refused(good + "[arms.a]\narg = []\n"), "Nearest known: 'args'");
    EXPECT_HAS(refused(good + "[arms.a]\nargs = \"--moe dense\"\n"), "a list of texts");
    EXPECT_HAS(refused(good + "[arms.a]\nargs = [\"a\\u0000b\"]\n"), "a list of texts");
    EXPECT_HAS(refused(good + "[arms.a]\nenv = { A = 1 }\n"), "s.toml:7:13: A = 1");
    EXPECT_HAS(refused(good + "[arms.a]\nenv = { \"A=B\" = \"1\" }\n"), "env has a variable");
    EXPECT_HAS(refused(good + "[arms.a]\nenv = { TARE_PROBE_OUT = \"/x\" }\n"), "tare sets itself");
    std::string nine;
    for (int i = 0; i < 9; ++i) nine += "[arms.a" + std::to_string(i) + "]\n";
    EXPECT_HAS(refused(good + nine), "9 arms; write 1 to 8");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// What tare-engine refuses: exit code 2, and a message to act on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/engine_process.h"

namespace {

namespace fs = std::filesystem;
using fakes::engine, fakes::small_bf16;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

Arguments generate_with(Arguments more) {
    Arguments arguments{"generate", "--model", small_bf16, "--max-tokens", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

void expect_refused(const Arguments& arguments, const std::string& reason) {
    const auto result = engine(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(reason));
    EXPECT_EQ(result.out, "");
}

TEST(EngineRefusals, options_of_later_builds_are_known_and_say_what_to_use) {
    const Arguments cases[] = {
        {"--seed", "1"}, {"--temperature", "0.7"}, {"--top-p", "0.9"}, {"--top-k", "5"}};
    for (const auto& option : cases) {
        auto more = option;
        more.insert(more.end(), {"--tokens", "1"});
        const auto result = engine(generate_with(more));
        EXPECT_EQ(result.exit_code, 2) << option[0];
        EXPECT_THAT(result.err, HasSubstr(option[0] + ": this build"));
        EXPECT_THAT(result.err, HasSubstr("leave the option out"));
    }
}

TEST(EngineRefusals, cuda_is_never_taken_for_cpu) {
    expect_refused(generate_with({"--tokens", "1", "--backend", "cuda"}),
                   "--backend 'cuda': this build has only the backend cpu");
    expect_refused({"info", "--model", small_bf16, "--backend", "cuda"}, "only the backend cpu");
}

TEST(EngineRefusals, the_option_parsers_own_errors_are_exit_code_2) {
    expect_refused({}, "subcommand");
    expect_refused({"generate"}, "--model is required");
    expect_refused({"generat"}, "'generat': no such subcommand; there are generate, score");
    expect_refused(generate_with({"--tokens", "1", "--threads", "0"}), "--threads");
    expect_refused(generate_with({"--tokens", "1", "--precision", "f16"}), "--precision");
    expect_refused(generate_with({"--tokens", "1", "--isa", "avx9"}), "--isa");
    expect_refused(generate_with({"--tokens", "1", "--unknown"}), "--unknown");
    expect_refused({"generate", "--model", small_bf16, "--tokens", "1", "--max-tokens", "0"},
                   "--max-tokens");
}

TEST(EngineRefusals, arguments_after_a_double_dash_are_not_swallowed) {
    expect_refused(generate_with({"--tokens", "1", "--", "ls"}), "'ls' after '--'");
}

TEST(EngineRefusals, tokens_beyond_the_models_limits) {
    expect_refused(generate_with({"--tokens", "1,4096"}),
                   "token 4096 at position 1 is outside the model's vocabulary of 4096");
    expect_refused({"generate", "--model", small_bf16, "--tokens", "1", "--max-tokens", "9000"},
                   "max_position_embeddings of 8192");
    expect_refused(generate_with({}), "no prompt was given");
    expect_refused(generate_with({"--tokens", "1,x"}), "element 1 is 'x'");
    expect_refused(generate_with({"--tokens-file", "/nowhere.json"}), "/nowhere.json");
}

TEST(EngineRefusals, a_folder_that_holds_no_model) {
    expect_refused({"info", "--model", "/nowhere"}, "/nowhere");
    expect_refused({"info", "--model", TARE_SOURCE_DIR "/scenarios/prompts"}, "config.json");
}

TEST(EngineRefusals, bench_wants_one_phase) {
    expect_refused({"bench", "--model", small_bf16, "--tokens", "1"},
                   "--prefill, --decode N and --score");
    expect_refused({"bench", "--model", small_bf16, "--tokens", "1", "--prefill", "--decode", "2"},
                   "2 were given");
}

TEST(EngineRefusals, a_fault_that_is_malformed_unknown_or_meets_nothing) {
    expect_refused(generate_with({"--tokens", "1", "--fault", "delay:x"}), "Accepted forms");
    expect_refused(generate_with({"--tokens", "1", "--fault", "maths:two_plus_two"}),
                   "two_plus_two");
    expect_refused(generate_with({"--tokens", "1", "--fault", "delay:prefil/*:10"}),
                   "'delay:prefil/*:10': nothing matched it");
    expect_refused(generate_with({"--tokens", "1", "--fault", "token:0:2"}), "'token:0:2'");
}

TEST(EngineRefusals, a_full_disk_leaves_no_half_file) {
    const auto file = fs::temp_directory_path() / ("logits_" + std::to_string(getpid()));
    // A limit on the size of files stands in for a full disk: the write fails half-way.
    const std::string command =
        "trap '' XFSZ; ulimit -f 8; exec " TARE_BUILD_DIR "/bin/tare-engine score --model " +
        small_bf16 + " --tokens 1,2,3,4 --json --logits-out " + file.string();
    const auto result = fakes::run({"sh", "-c", command});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cannot be written (File too large)"));
    EXPECT_FALSE(fs::exists(file));
    EXPECT_FALSE(fs::exists(file.string() + ".tmp"));
    EXPECT_EQ(result.out, "");
}

TEST(EngineRefusals, a_closed_stdout_is_a_failure) {
    const auto result = fakes::run(
        {"sh", "-c",
         "exec " TARE_BUILD_DIR "/bin/tare-engine info --model " + small_bf16 + " >/dev/full"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("stdout: No space left on device"));
}

TEST(EngineHelp, has_examples_and_exit_codes) {
    const auto whole = engine({"--help"});
    EXPECT_EQ(whole.exit_code, 0);
    EXPECT_THAT(whole.out, HasSubstr("Examples:"));
    EXPECT_THAT(whole.out, HasSubstr("Exit codes:"));
    for (const auto* command : {"generate", "score", "bench", "check", "info", "roof", "synth",
                                "tokenize", "detokenize"}) {
        const auto result = engine({command, "--help"});
        EXPECT_EQ(result.exit_code, 0) << command;
        EXPECT_THAT(result.out, HasSubstr("Example")) << command;
    }
}

TEST(EngineHelp, says_whether_the_stop_token_is_output) {
    EXPECT_THAT(engine({"generate", "--help"}).out, HasSubstr("stop token is"));
}

TEST(EngineVersion, carries_commit_and_compiler) {
    const auto result = engine({"--version"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("tare-engine "));
    EXPECT_THAT(result.out, HasSubstr("commit "));
    EXPECT_THAT(result.out, HasSubstr("compiler "));
}

}  // namespace

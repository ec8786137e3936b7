// SPDX-License-Identifier: Apache-2.0
// tare-engine and tare-micro when nothing takes what they print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/engine_process.h"

namespace {

using fakes::small_bf16;
using testing::HasSubstr;

const std::string tare_engine = TARE_BUILD_DIR "/bin/tare-engine";
const std::string tare_micro = TARE_BUILD_DIR "/bin/tare-micro";

fakes::Result shell(const std::string& command) {
    return fakes::run({"bash", "-c", command});
}

std::vector<std::string> commands_that_print() {
    std::vector<std::string> commands{
        tare_engine + " --version", tare_engine + " --help", tare_micro + " --help",
        tare_micro + " --model " + small_bf16 + " --benchmark_list_tests=true"};
    for (const char* name : {"generate", "score", "bench", "check", "info", "roof", "synth",
                             "tokenize", "detokenize"}) {
        commands.push_back(tare_engine + " " + name + " --help");
    }
    const std::string model = " --model " + small_bf16 + " ";
    for (const char* work : {"generate --tokens 1 --max-tokens 1", "score --tokens 1,2",
                             "bench --tokens 1 --prefill --reps 1", "check repeat --tokens 1",
                             "info", "tokenize --prompt a", "detokenize --tokens 1"}) {
        commands.push_back(tare_engine + " " + work + model);
        commands.push_back(tare_engine + " " + work + model + "--json");
    }
    return commands;
}

TEST(EngineOutput, that_nothing_took_is_exit_code_4_with_the_reason) {
    for (const auto& command : commands_that_print()) {
        const auto full = shell(command + " >/dev/full");
        EXPECT_EQ(full.exit_code, 4) << command;
        EXPECT_THAT(full.err, HasSubstr("stdout: ")) << command;
        EXPECT_THAT(full.err, HasSubstr("results are incomplete")) << command;
    }
    EXPECT_THAT(shell(tare_engine + " --version >/dev/full").err,
                HasSubstr("stdout: No space left on device"));
}

TEST(EngineOutput, to_a_descriptor_that_was_closed_at_the_start_is_lost) {
    for (const auto* command : {" info --json --model ", " tokenize --prompt a --model "}) {
        EXPECT_EQ(shell(tare_engine + command + small_bf16 + " >&-").exit_code, 4) << command;
    }
    const auto version = shell(tare_engine + " --version >&-");
    EXPECT_EQ(version.exit_code, 4);
    EXPECT_THAT(version.err, HasSubstr("stdout: closed"));
}

// Without stderr a file of the model would become descriptor 2, and messages would go into it.
TEST(EngineOutput, is_whole_when_only_the_other_descriptors_are_closed) {
    const auto result = shell(tare_engine + " generate --tokens 1 --max-tokens 1 --json --model " +
                              small_bf16 + " <&- 2>&-");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(fakes::json_lines(result.out).size(), 1u);
    const auto input = shell(tare_engine + " tokenize --jsonl - --model " + small_bf16 + " <&-");
    EXPECT_EQ(input.exit_code, 2);
    EXPECT_THAT(input.err, HasSubstr("standard input: cannot be read"));
}

TEST(EngineOutput, whose_reader_goes_away_ends_the_program_quietly_without_a_signal) {
    const auto result =
        shell(tare_engine + " bench --json --tokens 1 --prefill --reps 2000 --model " + small_bf16 +
              " | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}");
    EXPECT_EQ(result.out, "4\n");
    EXPECT_THAT(result.err, testing::Not(HasSubstr("stdout")));
    const auto micro = shell(tare_micro + " --model " + small_bf16 +
                             " --benchmark_filter=rms_norm --benchmark_min_time=0.01 | head -n 1 "
                             ">/dev/null; echo ${PIPESTATUS[0]}");
    EXPECT_EQ(micro.out, "4\n");
}

}  // namespace

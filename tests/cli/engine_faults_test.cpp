// SPDX-License-Identifier: Apache-2.0
// Every planted fault is seen to do what it says, through the real binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/engine_process.h"

namespace {

using fakes::engine, fakes::json_lines, fakes::lines_of_type, fakes::small_bf16;

// Few tokens, few steps: enough for every range path to exist.
fakes::Result bench(std::vector<std::string> more, double timeout_s = 60) {
    std::vector<std::string> arguments{
        "bench",  "--model", small_bf16,  "--tokens", "1,45,81,84", "--decode", "4",
        "--reps", "1",       "--warm-up", "0",        "--threads",  "1",        "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return engine(arguments, {.timeout_s = timeout_s});
}

std::vector<nlohmann::json> lines_with(std::vector<std::string> more) {
    const auto result = bench(std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out);
}

std::int64_t ops_of(const std::vector<nlohmann::json>& lines, std::size_t phase) {
    return lines_of_type(lines, "rep").at(phase).at("ops");
}

nlohmann::json tokens_of(const std::vector<nlohmann::json>& lines) {
    return lines_of_type(lines, "output").at(0).at("tokens");
}

TEST(EngineFaults, launch_adds_one_op_for_each_match) {
    const auto plain = lines_with({});
    const auto faulted = lines_with({"--fault", "launch:decode/step/lm_head:+1"});
    EXPECT_EQ(ops_of(faulted, 0), ops_of(plain, 0));
    EXPECT_EQ(ops_of(faulted, 1), ops_of(plain, 1) + 4);
    const auto counters = lines_of_type(faulted, "counters").at(1);
    EXPECT_EQ(counters.at("ops_planned"), ops_of(plain, 1)) << "a plan knows nothing of faults";
    EXPECT_EQ(tokens_of(faulted), tokens_of(plain));
}

TEST(EngineFaults, token_flips_exactly_that_position) {
    auto expected = tokens_of(lines_with({}));
    expected[2] = (expected[2].get<int>() + 1) % 4096;
    EXPECT_EQ(tokens_of(lines_with({"--fault", "token:0:2"})), expected);
}

TEST(EngineFaults, maths_changes_what_the_model_says) {
    const std::vector<std::string> score{"score",    "--model",    small_bf16,
                                         "--tokens", "1,45,81,84", "--json"};
    auto faulted = score;
    faulted.insert(faulted.end(), {"--fault", "maths:no_skip"});
    const auto plain_nll = json_lines(engine(score).out).at(0).at("nll");
    const auto faulted_nll = json_lines(engine(faulted).out).at(0).at("nll");
    ASSERT_EQ(plain_nll.size(), 3U);
    EXPECT_GT(std::abs(plain_nll[0].get<double>() - faulted_nll[0].get<double>()), 1e-3);
}

TEST(EngineFaults, exit_ends_the_process_with_code_1_and_no_end_line) {
    const auto result = bench({"--fault", "exit:decode/step/*/norm"});
    EXPECT_EQ(result.exit_code, 1);
    const auto lines = json_lines(result.out);
    EXPECT_EQ(lines_of_type(lines, "rep").size(), 1U) << "the prefill had ended";
    EXPECT_TRUE(lines_of_type(lines, "end").empty());
}

TEST(EngineFaults, hang_never_ends_by_itself) {
    const auto result = bench({"--fault", "hang:prefill/lm_head"}, 2);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(lines_of_type(json_lines(result.out), "hello").size(), 1U);
}

TEST(EngineFaults, delay_makes_the_phase_slower_by_far_more_than_noise) {
    // Every op takes 21 times its time. Both phases run in the same process, so a busy machine
    // slows them alike: only the decode is planted, and it is compared with the prefill.
    const auto decode_share = [](const std::vector<nlohmann::json>& lines) {
        const auto reps = lines_of_type(lines, "rep");
        const auto wall_ns = [&](std::size_t i) {
            return reps.at(i).at("end_ns").get<double>() - reps.at(i).at("begin_ns").get<double>();
        };
        return wall_ns(1) / wall_ns(0);
    };
    const auto plain = decode_share(lines_with({}));
    const auto faulted = decode_share(lines_with({"--fault", "delay:decode/*:2000"}));
    EXPECT_GT(faulted, 3 * plain);
}

TEST(EngineFaults, are_listed_in_the_hello_line) {
    const auto lines = lines_with({"--fault", "token:0:1", "--fault", "launch:prefill/sample:+1"});
    EXPECT_EQ(lines.at(0).at("faults"), (nlohmann::json{"token:0:1", "launch:prefill/sample:+1"}));
}

}  // namespace

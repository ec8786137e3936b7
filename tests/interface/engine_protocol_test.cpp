// SPDX-License-Identifier: Apache-2.0
// Protocol 1 of `bench --json`: recorded lines are the contract, key by key.
#include <gtest/gtest.h>

#include "tests/fakes/engine_process.h"
#include "tests/interface/recorded.h"

namespace {

using fakes::json_lines, fakes::lines_of_type;
using nlohmann::json;
using recorded::expect_keeps, recorded::recorded;

std::vector<json> bench(std::vector<std::string> more) {
    std::vector<std::string> arguments{"bench",    "--model",    fakes::small_bf16,
                                       "--tokens", "1,45,81,84", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = fakes::engine(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out);
}

TEST(Protocol1, keeps_every_recorded_line_and_key) {
    const auto old = recorded("protocol_1.jsonl");
    const auto now = bench({"--decode", "3", "--reps", "2", "--warm-up", "1"});
    ASSERT_EQ(old.size(), 12U);
    expect_keeps(old, now);
}

TEST(Protocol1, values_that_no_machine_may_change_are_as_recorded) {
    const auto old = recorded("protocol_1.jsonl");
    const auto now = bench({"--decode", "3", "--reps", "2", "--warm-up", "1"});
    EXPECT_EQ(now.at(0).at("protocol"), 1);
    EXPECT_EQ(now.at(0).at("clock"), "monotonic_raw");
    EXPECT_TRUE(now.at(0).at("build").at("flags").is_string()) << "provenance needs the flags";
    EXPECT_EQ(now.at(0).at("model").at("sha256"), old.at(0).at("model").at("sha256"));
    EXPECT_EQ(now.at(0).at("prompt"), old.at(0).at("prompt"));
    const auto old_output = lines_of_type(old, "output").at(0);
    const auto output = lines_of_type(now, "output").at(0);
    EXPECT_EQ(output.at("tokens"), old_output.at("tokens"));
    EXPECT_EQ(output.at("sha256"), old_output.at("sha256"));
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (old[i].at("type") == "rep" || old[i].at("type") == "counters") {
            EXPECT_EQ(now[i].at("phase"), old[i].at("phase"));
            EXPECT_EQ(now[i].at("rep"), old[i].at("rep"));
        }
    }
}

TEST(Protocol1, a_decode_rep_is_a_prefill_and_then_its_steps) {
    const auto reps =
        lines_of_type(bench({"--decode", "3", "--reps", "2", "--warm-up", "0"}), "rep");
    ASSERT_EQ(reps.size(), 4U);
    EXPECT_EQ(reps[0].at("phase"), "prefill");
    EXPECT_EQ(reps[0].at("tokens"), 4);
    EXPECT_EQ(reps[1].at("phase"), "decode");
    EXPECT_EQ(reps[1].at("tokens"), 3);
    EXPECT_LE(reps[0].at("end_ns"), reps[1].at("begin_ns"));
    EXPECT_LE(reps[1].at("end_ns"), reps[2].at("begin_ns"));
}

TEST(Protocol1, a_prefill_outputs_the_one_token_that_a_decode_outputs_first) {
    const auto prefill = bench({"--prefill", "--reps", "1", "--warm-up", "0"});
    const auto decode = bench({"--decode", "3", "--reps", "1", "--warm-up", "0"});
    const auto first = lines_of_type(prefill, "output").at(0);
    const auto all = lines_of_type(decode, "output").at(0);
    EXPECT_EQ(first.at("tokens").size(), 1U);
    EXPECT_EQ(all.at("tokens").size(), 3U);
    EXPECT_EQ(all.at("margins").size(), 3U);
    EXPECT_EQ(first.at("tokens")[0], all.at("tokens")[0]);
}

TEST(Protocol1, the_plan_foretells_ops_scratch_and_expert_rows) {
    const auto lines = bench({"--decode", "3", "--reps", "1", "--warm-up", "0"});
    const auto reps = lines_of_type(lines, "rep");
    const auto counters = lines_of_type(lines, "counters");
    for (std::size_t i = 0; i < reps.size(); ++i) {
        EXPECT_EQ(reps[i].at("ops"), counters[i].at("ops_planned"));
        EXPECT_EQ(counters[i].at("expert_rows_asked"), counters[i].at("expert_rows_done"));
    }
    const auto memory = lines_of_type(lines, "memory").at(0);
    EXPECT_EQ(memory.at("planned_bytes"), memory.at("used_bytes"));
    EXPECT_EQ(memory.at("scratch_planned_bytes"), memory.at("scratch_used_bytes"));
    EXPECT_EQ(memory.at("thread_scratch_planned_bytes"), memory.at("thread_scratch_used_bytes"));
    EXPECT_GT(memory.at("peak_bytes"), 0);
}

TEST(Protocol1, a_prompt_in_pieces_is_planned_and_answered_as_such) {
    const auto whole = bench({"--decode", "2", "--reps", "1"});
    const auto pieces = bench({"--decode", "2", "--reps", "1", "--prefill-chunk", "3"});
    const auto ops = [](const auto& lines) {
        return lines_of_type(lines, "rep").at(0).at("ops").template get<int>();
    };
    EXPECT_EQ(ops(pieces), 2 * ops(whole) - 3) << "the head and the pick only once";
    EXPECT_EQ(lines_of_type(pieces, "counters").at(0).at("ops_planned"), ops(pieces));
    EXPECT_EQ(lines_of_type(pieces, "output"), lines_of_type(whole, "output"));
    const auto memory = lines_of_type(pieces, "memory").at(0);
    EXPECT_EQ(memory.at("scratch_planned_bytes"), memory.at("scratch_used_bytes"));
}

TEST(Protocol1, repeats_that_differ_are_a_failure_of_ours) {
    const auto result =
        fakes::engine({"bench", "--model", fakes::small_bf16, "--tokens", "1,45,81,84", "--json",
                       "--score", "--fault", "maths:unstable_repeat"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_NE(result.err.find("rep 1, text 0: negative log likelihood 0 is"), std::string::npos)
        << result.err;
    EXPECT_TRUE(lines_of_type(json_lines(result.out), "end").empty());
}

TEST(Protocol1, planned_scratch_is_the_same_for_any_number_of_threads) {
    const auto memory_with = [](const char* threads) {
        return lines_of_type(bench({"--prefill", "--reps", "1", "--threads", threads}), "memory")
            .at(0);
    };
    const auto one = memory_with("1"), three = memory_with("3");
    EXPECT_EQ(one.at("scratch_planned_bytes"), three.at("scratch_planned_bytes"));
    EXPECT_EQ(three.at("thread_scratch_planned_bytes"),
              3 * one.at("thread_scratch_planned_bytes").get<int>());
}

TEST(Protocol1, warm_up_prints_no_line_and_changes_no_token) {
    const auto cold = bench({"--decode", "3", "--reps", "1", "--warm-up", "0"});
    const auto warm = bench({"--decode", "3", "--reps", "1", "--warm-up", "2"});
    EXPECT_EQ(cold.size(), warm.size());
    EXPECT_EQ(lines_of_type(cold, "output"), lines_of_type(warm, "output"));
}

}  // namespace

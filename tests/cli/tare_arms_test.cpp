// SPDX-License-Identifier: Apache-2.0
// Scenarios with arms: every arm in every round, each told by itself and all of them side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

// Two arms of the fake engine: gathered and dense experts.
class TareArms : public testing::Test {
  protected:
    TareArms() {
        tare_.add_to_scenario(
            "[arms.gather]\nabout = \"own rows\"\nargs = [\"--moe\", \"gather\"]\n"
            "env = { FAKE_ARM = \"g\" }\n"
            "[arms.dense]\nargs = [\"--moe\", \"dense\"]\n");
    }

    fakes::Result run(const std::string& how = "good", std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--profiled-rounds", "1"});
        return tare_.run_fake(how, more, {{"FAKE_CAPTURE", "good"}});
    }

    json object(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--format", "json"});
        const auto result = tare_(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json::parse(result.out);
    }

    fakes::Tare tare_;
};

const json* identity(const json& report, const std::string& name) {
    for (const json& one : report["identities"])
        if (one["name"] == name) return &one;
    return nullptr;
}

TEST_F(TareArms, every_arm_runs_in_every_round_with_its_own_words) {
    const auto result = run();
    ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
    const json shown = object({"show"});
    ASSERT_EQ(shown["trials"].size(), 6u);  // 2 arms, each 2 timed and 1 profiled
    for (const char* arm : {"gather", "dense"})
        EXPECT_EQ(std::count_if(shown["trials"].begin(), shown["trials"].end(),
                                [&](const json& trial) { return trial["arm"] == arm; }),
                  3);
    EXPECT_EQ(shown["plan"]["arms"], (json{"gather", "dense"}));
    EXPECT_EQ(shown["arms"][0]["about"], "own rows");
    std::ifstream log(tare_.log());
    for (std::string line; std::getline(log, line);) {
        if (line.find("trial=yes") == std::string::npos) continue;
        EXPECT_EQ(line.find("arm=g ") != std::string::npos,
                  line.find("--moe gather") != std::string::npos)
            << line;
    }
}

TEST_F(TareArms, dense_rows_are_told_with_their_factor_and_stay_valid) {
    const auto result = run();
    EXPECT_HAS(result.out, "no (8.00×)");
    EXPECT_HAS(result.out, "declares that the two differ");
    const json report = object({"report"});
    ASSERT_EQ(report["arms"].size(), 2u);
    EXPECT_EQ(report["arms"][0]["name"], "gather");
    EXPECT_EQ(report["run"]["valid"], true);
    const json& dense = report["arms"][1];
    EXPECT_EQ(dense["valid"], true);
    EXPECT_EQ(dense["args"], (json{"--moe", "dense"}));
    EXPECT_EQ((*identity(dense, "prefill.expert_rows"))["must_hold"], false);
    EXPECT_EQ((*identity(dense, "prefill.expert_rows"))["seen"], 96);
    EXPECT_EQ((*identity(dense, "prefill.expert_rows_planned"))["expected"], 96);
    EXPECT_EQ((*identity(report["arms"][0], "prefill.expert_rows"))["must_hold"], true);
}

TEST_F(TareArms, rows_other_than_planned_are_invalid_in_any_arm) {
    const auto result = run("wrong-rows");
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_HAS(result.out, "arm dense: identity prefill.expert_rows_planned: 96 expected, 95 seen");
    EXPECT_HAS(result.out,
               "arm gather: identity prefill.expert_rows_planned: 12 expected, 11 seen");
}

TEST_F(TareArms, process_that_computes_otherwise_than_its_arm_asks_is_invalid) {
    const auto result = run("other-moe");
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_HAS(result.err, "ran its experts as 'dense', its arm asks for 'gather'");
}

TEST_F(TareArms, stand_side_by_side_without_a_verdict) {
    const auto result = run();
    EXPECT_HAS(result.out, "its arms side by side");
    EXPECT_HAS(result.out, "dense / gather");
    EXPECT_HAS(result.out, "gives no verdict, `tare ab` does");
    EXPECT_HAS(result.out, "prefill/expert_gemm");
    EXPECT_HAS(result.out, "identical");
    const auto markdown = tare_({"report", "--format", "markdown"});
    EXPECT_HAS(markdown.out, "its arms side by side");
}

TEST_F(TareArms, one_arm_can_be_asked_for) {
    run();
    const auto dense = tare_({"report", "--arm", "dense"});
    EXPECT_HAS(dense.out, "arm dense");
    EXPECT_LACKS(dense.out, "side by side");
    EXPECT_FALSE(object({"report", "--arm", "dense"}).contains("arms"));
    EXPECT_EQ(object({"report", "--arm", "dense"})["run"]["arm"]["name"], "dense");
    const auto none = tare_({"report", "--arm", "dens"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_HAS(none.err, "no arm 'dens'; its arms: gather, dense");
}

TEST_F(TareArms, lost_trial_is_told_of_its_arm_alone) {
    // Once the budget of one crash is spent, the engine behaves.
    const auto once = tare_.folder().write("once", "");
    const auto result = tare_.run_fake("good", {"--profiled-rounds", "1"},
                                       {{"FAKE_CAPTURE", "good"},
                                        {"FAKE_CRASH_ONCE", once.string()},
                                        {"FAKE_CRASH_ARM", "dense"}});
    EXPECT_EQ(result.exit_code, 4) << result.out;
    EXPECT_HAS(result.err, "arm dense) is invalid: ended by signal 11");
    EXPECT_HAS(result.out, "planned timed rounds are valid");
    const json report = object({"report"});
    EXPECT_EQ(report["run"]["valid"], false);
    EXPECT_EQ(report["arms"][0]["valid"], true);
    EXPECT_EQ(report["arms"][1]["valid"], false);
    EXPECT_FALSE(report["arms"][1]["phases"].empty());  // what was measured is shown
}

TEST_F(TareArms, are_counted_in_the_list_and_compared_by_name) {
    run();
    run();
    EXPECT_EQ(object({"list"})["runs"][0]["arms"], 2);
    const json compared = object({"compare", "1", "2"});
    EXPECT_EQ(compared["arm"], "gather");
    ASSERT_EQ(compared["other_arms"].size(), 1u);
    EXPECT_EQ(compared["other_arms"][0]["arm"], "dense");
    EXPECT_EQ(object({"compare", "1", "2", "--arm", "dense"})["arm"], "dense");
    EXPECT_HAS(tare_({"compare", "1", "2"}).out, "arm dense");
    EXPECT_HAS(tare_({"compare", "1", "2", "--format", "csv"}).out, ",dense\r\n");
}

TEST_F(TareArms, csv_names_the_arm_of_every_row) {
    run();
    const std::string csv = tare_({"report", "--format", "csv"}).out;
    EXPECT_HAS(csv, "run_valid,arm,tokens_predicted,nll_mean,nll_sum\r\n");
    EXPECT_HAS(csv, ",1,gather,,,\r\n");
    EXPECT_HAS(csv, ",1,dense,,,\r\n");
}

TEST_F(TareArms, rebuild_gives_the_same_report) {
    run();
    const std::string before = tare_({"report", "--format", "json"}).out;
    EXPECT_EQ(tare_({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ(tare_({"report", "--format", "json"}).out, before);
}

}  // namespace

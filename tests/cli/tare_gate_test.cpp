// SPDX-License-Identifier: Apache-2.0
// tare gate: baselines are written, held against, and refused, on the fake engine and on the real.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;

class TareGate : public testing::Test {
  protected:
    fakes::Result gate(std::vector<std::string> more, const std::string& token = "7") const {
        more.insert(more.begin(), "gate");
        more.insert(more.end(), {"--engine", fakes::Tare::engine(), "--baselines", folder()});
        return tare_(
            more,
            {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}, {"FAKE_TOKEN", token}});
    }

    fakes::Result accept(const std::string& token = "7") const {
        return gate({tare_.scenario, "--accept", "--reason", "because"}, token);
    }

    std::string folder() const { return (tare_.folder().path() / "baselines").string(); }

    std::string file() const { return folder() + "/any/tiny.json"; }

    std::string text() const {
        std::ifstream in(file());
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fakes::Tare tare_;
};

TEST_F(TareGate, without_a_baseline_nothing_ran_and_it_is_invalid) {
    const auto seen = gate({tare_.scenario});
    EXPECT_EQ(seen.exit_code, 4) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("--accept --reason"));
    EXPECT_EQ(gate({}).exit_code, 4);
}

TEST_F(TareGate, accepted_run_passes_and_another_token_is_a_regression) {
    const auto accepted = accept();
    ASSERT_EQ(accepted.exit_code, 0) << accepted.err << accepted.out;
    EXPECT_EQ(gate({tare_.scenario}).exit_code, 0);
    const auto other = gate({tare_.scenario, "--format", "json"}, "8");
    EXPECT_EQ(other.exit_code, 1) << other.out;
    const json seen = json::parse(other.out);
    EXPECT_EQ(seen["schema"], "tare.gate/1");
    EXPECT_EQ(seen["exit_code"], 1);
    EXPECT_EQ(seen["gates"][0]["verdict"], "regressed");
    EXPECT_THAT(seen["gates"][0]["checks"].dump(), HasSubstr("request 0, position 0"));
    EXPECT_EQ(gate({tare_.scenario, "--only", "counts"}, "8").exit_code, 0);
    EXPECT_EQ(gate({tare_.scenario, "--only", "counts,tokens"}, "8").exit_code, 1);
}

TEST_F(TareGate, verdict_is_kept_with_its_run_and_outlives_a_rebuild) {
    ASSERT_EQ(accept().exit_code, 0);
    ASSERT_EQ(gate({tare_.scenario}, "8").exit_code, 1);
    const auto kept = [&] {
        return json::parse(tare_({"show", "2", "--format", "json"}).out)["verdict"];
    };
    const json before = kept();
    EXPECT_EQ(before["kind"], "gate");
    EXPECT_EQ(before["verdict"], "regressed");
    EXPECT_EQ(before["exit_code"], 1);
    EXPECT_THAT(before["reasons"].dump(), HasSubstr("request 0, position 0"));
    EXPECT_THAT(before["metrics"].dump(), HasSubstr("\"not checked\""));
    const json listed = json::parse(tare_({"list", "--format", "json"}).out)["runs"];
    EXPECT_EQ(listed[0]["verdict"], "regressed");
    EXPECT_EQ(listed[1]["verdict"], "passed");
    ASSERT_EQ(tare_({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ(kept(), before);
}

TEST_F(TareGate, what_is_accepted_stays_listed_with_its_reason_and_changes) {
    ASSERT_EQ(accept().exit_code, 0);
    ASSERT_EQ(accept("8").exit_code, 0);
    const json seen = json::parse(text());
    ASSERT_EQ(seen["accepted"].size(), 2u);
    EXPECT_EQ(seen["accepted"][0]["changes"].size(), 0u);
    EXPECT_EQ(seen["accepted"][1]["reason"], "because");
    EXPECT_THAT(seen["accepted"][1]["changes"].dump(), HasSubstr("tokens differ"));
    EXPECT_EQ(gate({tare_.scenario}, "8").exit_code, 0);
    EXPECT_EQ(gate({tare_.scenario}, "7").exit_code, 1);
}

TEST_F(TareGate, what_was_planted_or_is_invalid_never_becomes_a_baseline) {
    ASSERT_EQ(accept().exit_code, 0);
    const std::string before = text();
    const auto planted = gate({tare_.scenario, "--accept", "--reason", "no", "--engine-arg",
                               "--fault", "--engine-arg", "token:0:0"});
    EXPECT_EQ(planted.exit_code, 4) << planted.out << planted.err;
    EXPECT_THAT(planted.out + planted.err, HasSubstr("planted"));
    EXPECT_EQ(text(), before);
}

TEST_F(TareGate, other_scenario_text_is_not_compared) {
    ASSERT_EQ(accept().exit_code, 0);
    const auto seen = gate({tare_.scenario, "--reps", "3"});
    EXPECT_EQ(seen.exit_code, 4);
    EXPECT_THAT(seen.out, HasSubstr("another text of the scenario"));
}

TEST_F(TareGate, damaged_baseline_is_2_and_stays) {
    ASSERT_EQ(accept().exit_code, 0);
    for (const std::string& bad :
         {std::string("{"), std::string("{\"schema\": \"tare.baseline/7\"}")}) {
        std::ofstream(file()) << bad;
        for (const auto& seen : {gate({tare_.scenario}), accept()}) {
            EXPECT_EQ(seen.exit_code, 2);
            EXPECT_THAT(seen.err, HasSubstr("tiny.json"));
        }
        EXPECT_EQ(text(), bad);
    }
}

TEST_F(TareGate, words_that_do_not_go_together_are_2) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {tare_.scenario, "--accept"},
             {tare_.scenario, "--accept", "--reason", " "},
             {"--accept", "--reason", "why"},
             {tare_.scenario, "--reason", "why"},
             {tare_.scenario, "--accept", "--reason", "why", "--only", "counts"},
             {tare_.scenario, "--accept", "--reason", "why", "--self-test"},
             {tare_.scenario, "--only", "speed"},
             {tare_.scenario, "--self-test"}})  // a prefill
        EXPECT_EQ(gate(words).exit_code, 2) << testing::PrintToString(words);
}

// Counts and tokens hold on any machine: not of one instruction set or number of threads.
TEST(TareGateShipped, baseline_holds_with_one_thread_and_the_oldest_instructions) {
    const fakes::Tare tare;
    const auto seen = tare({"gate", fakes::Tare::shipped("decode-64"), "--baselines",
                            TARE_SOURCE_DIR "/baselines", "--threads", "1", "--engine-arg", "--isa",
                            "--engine-arg", "baseline"});
    EXPECT_EQ(seen.exit_code, 0) << seen.out << seen.err;
}

// The scenario allows a trial ten minutes; a hang is not waited for that long.
TEST(TareGateSelfTest, hang_costs_what_the_warm_up_makes_likely_slow) {
    const fakes::Tare tare;
    const auto scenario = tare.folder().write(
        "short.toml", "name = \"short\"\nmodel = \"" TARE_SOURCE_DIR
                      "/scenarios/models/small-bf16\"\nworkload = \"decode\"\n"
                      "decode_tokens = 8\ntime_limit_s = 600\n[prompt]\nseed = 1\ncount = 16\n"
                      "[metrics]\ndecode_wall_ns = { margin = \"5%\" }\n");
    const auto seen =
        tare({"gate", scenario.string(), "--self-test", "--format", "json", "--threads", "1"});
    const json all = json::parse(seen.out, nullptr, false);
    ASSERT_FALSE(all.is_discarded()) << seen.err;
    const json* hang = nullptr;
    for (const json& check : all["gates"][0]["checks"])
        if (check["name"] == "a hang") hang = &check;
    ASSERT_NE(hang, nullptr) << seen.out << seen.err;
    EXPECT_EQ((*hang)["outcome"], "passed") << seen.out;
    const json shown = json::parse(tare({"list", "--format", "json"}).out);
    for (const json& run : shown["runs"]) {
        const auto one = json::parse(
            tare({"show", std::to_string(run["run"].get<int>()), "--format", "json"}).out);
        const double limit_s = one["plan"]["time_limit_s"];
        const bool first = run["run"] == 1;
        EXPECT_EQ(limit_s >= 600, first) << one["plan"];
        EXPECT_GE(limit_s, 5) << one["plan"];
    }
}

}  // namespace

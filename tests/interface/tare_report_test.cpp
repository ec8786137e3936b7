// SPDX-License-Identifier: Apache-2.0
// What other programs rely on: one JSON object on stdout with every key of tare.report/1, and the
// exit codes. With the real engine and the real probe.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

void expect_keys(const json& object,
                 const std::vector<std::string>& keys,
                 const std::string& what) {
    for (const std::string& key : keys)
        EXPECT_TRUE(object.contains(key)) << what << " lacks " << key << ": " << object;
}

// A few tokens on the shipped model: everything a run has, in little time.
std::string short_scenario(const fakes::Tare& tare) {
    return tare.folder()
        .write("short.toml",
               "name = \"short\"\nmodel = \"" TARE_SOURCE_DIR
               "/scenarios/models/small-bf16\"\nworkload = \"decode\"\ndecode_tokens = 4\n"
               "[prompt]\nseed = 1\ncount = 16\n")
        .string();
}

class TareInterface : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        tare_ = new fakes::Tare;
        result_ = new fakes::Result((*tare_)({"run", short_scenario(*tare_), "--rounds", "1",
                                              "--profiled-rounds", "1", "--format", "json"}));
    }

    static void TearDownTestSuite() {
        delete result_;
        delete tare_;
    }

    static json report() { return json::parse(result_->out); }

    static fakes::Tare* tare_;
    static fakes::Result* result_;
};

fakes::Tare* TareInterface::tare_ = nullptr;
fakes::Result* TareInterface::result_ = nullptr;

TEST_F(TareInterface, run_is_0_and_stdout_holds_exactly_one_object) {
    EXPECT_EQ(result_->exit_code, 0) << result_->err << result_->out;
    EXPECT_TRUE(report().is_object());  // parse() throws on anything behind the object
    EXPECT_NE(result_->err, "");        // progress went to stderr
}

TEST_F(TareInterface, report_has_every_key) {
    const json all = report();
    EXPECT_EQ(all["schema"], "tare.report/1");
    expect_keys(
        all,
        {"run", "scenario", "phases", "roles", "kernels", "counts", "identities", "profiling_cost"},
        "report");
    ASSERT_FALSE(all["phases"].empty());
    for (const json& phase : all["phases"]) {
        expect_keys(phase,
                    {"phase", "mode", "timer", "rounds", "wall_ns", "busy_ns", "sum_ns", "gap_ns",
                     "gap", "integrity", "valid", "reason"},
                    "phase");
        expect_keys(phase["gap"],
                    {"launch_ns", "sync_ns", "alloc_ns", "host_ns", "dispatch_ns", "unsplit_ns"},
                    "gap");
        expect_keys(phase["integrity"],
                    {"unattributed_share", "outside_share", "records_expected", "records_seen",
                     "gap_residual_share", "timer_disagreement_share"},
                    "integrity");
    }
    ASSERT_FALSE(all["counts"].empty());
    for (const json& count : all["counts"]) expect_keys(count, {"name", "value", "exact"}, "count");
    ASSERT_FALSE(all["identities"].empty());
    for (const json& one : all["identities"]) {
        expect_keys(one, {"name", "expected", "seen"}, "identity");
        EXPECT_EQ(one["expected"], one["seen"]) << one;
    }
}

TEST_F(TareInterface, profiled_phases_have_five_integrity_figures_and_pass_them) {
    int profiled = 0;
    const json all = report();
    for (const json& phase : all["phases"]) {
        if (phase["mode"] != "profiled") continue;
        ++profiled;
        for (const auto& [key, value] : phase["integrity"].items())
            EXPECT_TRUE(value.is_number()) << key << " of " << phase;
        EXPECT_EQ(phase["integrity"]["records_expected"], phase["integrity"]["records_seen"]);
        EXPECT_EQ(phase["valid"], true) << phase;
        // Classes a CPU does not have are null, never 0.
        for (const char* gap : {"launch_ns", "sync_ns", "alloc_ns", "dispatch_ns", "unsplit_ns"})
            EXPECT_TRUE(phase["gap"][gap].is_null()) << gap;
    }
    EXPECT_EQ(profiled, 2);  // prefill and decode
}

TEST_F(TareInterface, stored_run_reports_the_same_object_again) {
    EXPECT_EQ((*tare_)({"report", "--format", "json"}).out, result_->out);
    EXPECT_EQ((*tare_)({"report", "latest", "--format", "json"}).out, result_->out);
    EXPECT_EQ((*tare_)({"report", "1", "--format", "json"}).out, result_->out);
}

TEST_F(TareInterface, rebuild_gives_the_same_object) {
    ASSERT_EQ((*tare_)({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ((*tare_)({"report", "--format", "json"}).out, result_->out);
}

TEST_F(TareInterface, trials_carry_conditions_and_provenance) {
    const json run = json::parse((*tare_)({"show", "--format", "json"}).out);
    EXPECT_EQ(run["build"]["binary_sha256"].get<std::string>().size(), 64u);
    EXPECT_EQ(run["build"]["protocol"], 1);
    EXPECT_EQ(run["model"]["sha256"].get<std::string>().size(), 64u);
    EXPECT_FALSE(run["conditions"].empty());
    EXPECT_TRUE(run["roof"]["flops_per_s"].is_number());
}

// A fault of the probe, and a word of the reason it has to give.
struct ProbeFault {
    const char* fault;
    const char* word;
};

class TareInterfaceProbeFaults : public testing::TestWithParam<ProbeFault> {};

TEST_P(TareInterfaceProbeFaults, make_the_run_invalid_with_words_and_exit_4) {
    const fakes::Tare tare;
    const auto result = tare({"run", short_scenario(tare), "--rounds", "1", "--profiled-rounds",
                              "1", "--format", "json"},
                             {{"TARE_PROBE_FAULT", GetParam().fault}});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_EQ(json::parse(result.out)["schema"], "tare.report/1");
    const json shown = json::parse(tare({"show", "--format", "json"}).out);
    for (const json& trial : shown["trials"]) {
        const bool profiled = trial["mode"] == "profiled";
        EXPECT_EQ(trial["planted"], profiled);
        EXPECT_EQ(trial["valid"], !profiled) << trial;
        if (!profiled) continue;
        const std::string reason = trial["reason"];
        EXPECT_NE(reason.find(GetParam().word), std::string::npos) << reason;
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TareInterfaceProbeFaults,
                         testing::Values(ProbeFault{"drop:10", "records"},
                                         ProbeFault{"zero:10", "stamps"},
                                         ProbeFault{"truncate", "truncated"},
                                         ProbeFault{"shift", "outside"}),
                         [](const auto& fault) { return std::to_string(fault.index); });

TEST(TareInterfaceFaults, engine_that_exits_is_4_with_one_object) {
    const fakes::Tare tare;
    const auto result =
        tare({"run", short_scenario(tare), "--rounds", "1", "--profiled-rounds", "1", "--format",
              "json", "--engine-arg", "--fault", "--engine-arg", "exit:decode/step/*"});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_EQ(json::parse(result.out)["schema"], "tare.report/1");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// tare gate on times: a baseline's commit is built and run beside an engine at hand whose times are
// as asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"
#include "tests/scenarios/build/sample_repository.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr int usual_ns = 1'000'000;

class TareGateTimings : public testing::Test {
  protected:
    TareGateTimings() {
        tare_.add_to_scenario("[metrics]\nprefill_wall_ns = { margin = \"2%\" }\n");
        repository_.write("tare.toml",
                          "[build]\ncommand = \"cp engine.sh engine && chmod +x engine\"\n"
                          "artefact = \"engine\"\n");
        repository_.write("engine.sh", script("", usual_ns));
        commit_ = repository_.commit("first");
        engine_is(usual_ns);
    }

    static std::string script(const std::string& variables, int wall_ns) {
        return fmt::format("#!/bin/sh\n{} FAKE_WALL_NS={} exec {} \"$@\"\n", variables, wall_ns,
                           fakes::Tare::engine());
    }

    // The engine at hand.
    void engine_is(int wall_ns, const std::string& variables = "") {
        const auto file = tare_.folder().write(
            "hand.sh", script("FAKE_COMMIT=" + commit_ + " " + variables, wall_ns));
        fs::permissions(file, fs::perms::owner_all);
        engine_ = file.string();
    }

    fakes::Result gate(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {fakes::Tare::binary(), "gate", tare_.scenario});
        more.insert(more.end(), {"--engine", engine_, "--baselines", folder(), "--store",
                                 tare_.store, "--seed", "7", "--quiet"});
        return fakes::run(more,
                          {.env = {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}},
                           .directory = repository_.top().string()});
    }

    fakes::Result accept(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"--accept", "--reason", "because"});
        return gate(more);
    }

    json object(int exit_code, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--format", "json"});
        const auto seen = gate(more);
        EXPECT_EQ(seen.exit_code, exit_code) << seen.err << seen.out;
        const json out = json::parse(seen.out, nullptr, false);
        return out.is_object() ? out : json{{"gates", {{{"checks", json::array()}}}}};
    }

    std::string folder() const { return (tare_.folder().path() / "baselines").string(); }

    // Of timings; empty: there is none.
    std::string file() const {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder(), error))
            if (entry.path().filename() != "any") return (entry.path() / "tiny.json").string();
        return "";
    }

    std::string text() const {
        std::ifstream in(file());
        return {std::istreambuf_iterator<char>(in), {}};
    }

    void replace_in_file(const std::string& from, const std::string& to) const {
        std::string whole = text();
        ASSERT_NE(whole.find(from), std::string::npos) << whole;
        whole.replace(whole.find(from), from.size(), to);
        std::ofstream(file()) << whole;
    }

    int starts() const {
        int count = 0;
        std::ifstream log(tare_.log());
        for (std::string line; std::getline(log, line);)
            count += line.find("trial=yes") != std::string::npos;
        return count;
    }

    fakes::Tare tare_;
    tests::SampleRepository repository_;
    std::string commit_, engine_;
};

const json& check(const json& report, const std::string& name) {
    for (const json& one : report["gates"][0]["checks"])
        if (one["name"] == name) return one;
    static const json none = json::object();
    ADD_FAILURE() << "no check " << name << " in " << report.dump(1);
    return none;
}

TEST_F(TareGateTimings, what_is_accepted_holds_samples_and_where_they_are_from) {
    const auto accepted = accept();
    ASSERT_EQ(accepted.exit_code, 0) << accepted.err << accepted.out;
    const json seen = json::parse(text());
    EXPECT_EQ(seen["schema"], "tare.timings/1");
    EXPECT_EQ(fs::path(file()).parent_path().filename().string(),
              seen["machine"]["class"].get<std::string>());
    EXPECT_EQ(seen["build"]["commit"], commit_);
    EXPECT_EQ(seen["calibration"], nullptr);
    EXPECT_FALSE(seen["conditions"].empty());
    EXPECT_EQ(seen["accepted"][0]["reason"], "because");
    const json& wall = seen["arms"][0]["timings"][0];
    EXPECT_EQ(wall["metric"], "prefill_wall_ns");
    EXPECT_EQ(wall["unit"], "ns");
    EXPECT_EQ(wall["direction"], "lower");
    EXPECT_EQ(wall["margin"], 0.02);
    ASSERT_EQ(wall["samples"].size(), 12u);
    for (const json& one : wall["samples"]) EXPECT_NEAR(one.get<double>(), usual_ns, 1000);
}

TEST_F(TareGateTimings, an_engine_as_fast_as_the_baselines_commit_passes) {
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns, "FAKE_DIRTY=1");
    const json seen = object(0);
    const json& timings = check(seen, "timings");
    EXPECT_EQ(timings["outcome"], "passed");
    EXPECT_EQ(timings["verdict"], "same");
    EXPECT_EQ(timings["metric"], "prefill.wall_ns");
    EXPECT_NEAR(timings["ratio"].get<double>(), 1, 0.002);
    EXPECT_LT(timings["lo"], timings["hi"]);
    EXPECT_NEAR(timings["a"].get<double>(), usual_ns, 1000);
    EXPECT_EQ(timings["n"], 8);
    EXPECT_THAT(timings["against"].get<std::string>(), HasSubstr(commit_.substr(0, 12)));
    EXPECT_THAT(timings["against"].get<std::string>(), HasSubstr("uncalibrated"));
    EXPECT_EQ(check(seen, "counts")["outcome"], "passed");
}

TEST_F(TareGateTimings, slower_is_1_and_every_format_says_by_how_much) {
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns * 11 / 10, "FAKE_DIRTY=1");
    const json seen = object(1);
    EXPECT_EQ(check(seen, "timings")["outcome"], "regressed");
    EXPECT_NEAR(check(seen, "timings")["ratio"].get<double>(), 1.1, 0.003);
    EXPECT_EQ(check(seen, "tokens")["outcome"], "passed");
    const auto as = [&](const char* format) {
        const auto result = gate({"--only", "timings", "--format", format});
        EXPECT_EQ(result.exit_code, 1) << result.err;
        return result.out;
    };
    EXPECT_THAT(as("table"), HasSubstr("+10."));
    EXPECT_THAT(as("markdown"), HasSubstr("| prefill.wall\\_ns |"));
    const std::string junit = as("junit"), github = as("github");
    EXPECT_THAT(junit, HasSubstr("timings prefill.wall_ns"));
    EXPECT_THAT(junit, HasSubstr("<failure type=\"regressed\""));
    EXPECT_THAT(junit, HasSubstr("+10."));
    EXPECT_THAT(github, HasSubstr("::error title="));
    EXPECT_THAT(github, HasSubstr("commit " + commit_.substr(0, 12)));
    EXPECT_EQ(github.find('\n'), github.size() - 1) << "one annotation a metric";
    EXPECT_THAT(github, HasSubstr("1.0"));
}

TEST_F(TareGateTimings, faster_is_improved_and_passes) {
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns * 9 / 10, "FAKE_DIRTY=1");
    const json seen = object(0);
    EXPECT_EQ(check(seen, "timings")["outcome"], "passed");
    EXPECT_EQ(check(seen, "timings")["verdict"], "improved");
}

TEST_F(TareGateTimings, too_few_rounds_are_3_and_a_wider_margin_lets_pass) {
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns * 11 / 10, "FAKE_DIRTY=1");
    EXPECT_EQ(check(object(3, {"--rounds", "4"}), "timings")["outcome"], "inconclusive");
    EXPECT_EQ(check(object(0, {"--margin", "prefill_wall_ns=20%"}), "timings")["verdict"], "same");
}

TEST_F(TareGateTimings, a_commit_that_is_gone_leaves_times_invalid_and_counts_judged) {
    ASSERT_EQ(accept().exit_code, 0);
    replace_in_file("\"commit\": \"" + commit_, "\"commit\": \"" + std::string(40, 'a'));
    const json seen = object(4);
    EXPECT_EQ(check(seen, "timings")["outcome"], "invalid");
    EXPECT_THAT(check(seen, "timings")["reasons"][0].get<std::string>(),
                HasSubstr("names no commit"));
    EXPECT_EQ(check(seen, "counts")["outcome"], "passed");
    EXPECT_EQ(object(0, {"--only", "counts,tokens"})["exit_code"], 0);
    engine_is(usual_ns, "FAKE_TOKEN=8");
    EXPECT_EQ(object(1)["exit_code"], 1) << "another token is 1 though times are invalid";
}

TEST_F(TareGateTimings, a_commit_that_does_not_build_leaves_times_invalid) {
    repository_.git("rm -q engine.sh");
    commit_ = repository_.commit("broken");
    engine_is(usual_ns);
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns, "FAKE_DIRTY=1");
    const json seen = object(4);
    EXPECT_EQ(check(seen, "timings")["outcome"], "invalid");
    EXPECT_THAT(check(seen, "timings")["reasons"][0].get<std::string>(),
                HasSubstr("does not build"));
}

TEST_F(TareGateTimings, stored_samples_are_judged_and_called_weaker) {
    ASSERT_EQ(accept().exit_code, 0);
    const int before = starts();
    const json same = object(0, {"--against", "stored", "--only", "timings"});
    EXPECT_EQ(starts() - before, 12);
    EXPECT_EQ(check(same, "timings")["verdict"], "same");
    EXPECT_THAT(check(same, "timings")["against"].get<std::string>(),
                HasSubstr("weaker: different time, same machine class"));
    engine_is(usual_ns * 11 / 10);
    const json slower = object(1, {"--against", "stored"});
    EXPECT_EQ(check(slower, "timings")["outcome"], "regressed");
    EXPECT_NEAR(check(slower, "timings")["ratio"].get<double>(), 1.1, 0.003);
    EXPECT_EQ(check(slower, "counts")["outcome"], "passed");
    engine_is(usual_ns * 9 / 10);
    EXPECT_EQ(check(object(0, {"--against", "stored"}), "timings")["verdict"], "improved");
    EXPECT_THAT(gate({"--against", "stored"}).out, HasSubstr("weaker"));
}

TEST_F(TareGateTimings, without_a_file_times_are_not_checked_and_alone_that_is_4) {
    ASSERT_EQ(accept({"--only", "counts,tokens"}).exit_code, 0);
    EXPECT_EQ(file(), "");
    const json seen = object(0);
    EXPECT_EQ(check(seen, "timings")["outcome"], "not checked");
    EXPECT_THAT(check(seen, "timings")["reasons"][0].get<std::string>(),
                HasSubstr("no baseline of this machine class"));
    object(4, {"--only", "timings"});
}

TEST_F(TareGateTimings, what_nobody_could_build_again_is_no_baseline_of_timings) {
    const std::vector<std::pair<std::string, std::string>> builds = {
        {"FAKE_DIRTY=1", "changes that are in no commit"},
        {"FAKE_COMMIT=fake", "no full commit hash"}};
    for (const auto& [variables, why] : builds) {
        engine_is(usual_ns, variables);
        const auto seen = accept();
        EXPECT_EQ(seen.exit_code, 0) << "counts and tokens are written: " << seen.err;
        EXPECT_THAT(seen.out, HasSubstr("no baseline of timings"));
        EXPECT_THAT(seen.out, HasSubstr(why.substr(0, 20)));
        EXPECT_EQ(file(), "");
        EXPECT_EQ(accept({"--only", "timings"}).exit_code, 4);
    }
    engine_is(usual_ns);
    const auto planted = accept({"--engine-arg", "--fault", "--engine-arg", "token:0:0"});
    EXPECT_EQ(planted.exit_code, 4);
    EXPECT_THAT(planted.out, HasSubstr("planted"));
    EXPECT_EQ(file(), "");
}

TEST_F(TareGateTimings, accepted_twice_says_the_same_in_the_same_order) {
    engine_is(usual_ns, "FAKE_NOISE=0");
    using nlohmann::ordered_json;
    const auto stable = [&] {
        ordered_json out = ordered_json::parse(text());
        out.erase("accepted");
        out.erase("conditions");
        return out.dump();
    };
    ASSERT_EQ(accept({"--only", "timings"}).exit_code, 0);
    const std::string first = stable();
    ASSERT_EQ(accept({"--only", "timings"}).exit_code, 0);
    EXPECT_EQ(stable(), first);
    EXPECT_EQ(json::parse(text())["accepted"].size(), 2u);
}

TEST_F(TareGateTimings, an_accepted_regression_stays_listed) {
    ASSERT_EQ(accept().exit_code, 0);
    engine_is(usual_ns * 12 / 10);
    const auto slower = accept();
    EXPECT_EQ(slower.exit_code, 0) << slower.out;
    EXPECT_THAT(slower.out, HasSubstr("a regression is accepted"));
    ASSERT_EQ(accept().exit_code, 0);
    const json seen = json::parse(text())["accepted"];
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_TRUE(seen[0]["regressions"].empty());
    ASSERT_EQ(seen[1]["regressions"].size(), 1u);
    const json& listed = seen[1]["regressions"][0];
    EXPECT_EQ(listed["metric"], "prefill_wall_ns");
    EXPECT_NEAR(listed["from"].get<double>(), usual_ns, 1000);
    EXPECT_NEAR(listed["to"].get<double>(), 1.2 * usual_ns, 1200);
    EXPECT_EQ(seen[1]["commit"], commit_);
    EXPECT_TRUE(seen[2]["regressions"].empty());
}

TEST_F(TareGateTimings, a_damaged_file_is_2_and_one_of_another_machine_4) {
    ASSERT_EQ(accept().exit_code, 0);
    const std::string good = text();
    const std::vector<std::pair<std::string, std::string>> changes = {
        {"{", "["},
        {"tare.timings/1", "tare.timings/9"},
        {"\"unit\": \"ns\", \"direction\"", "\"unit\": \"ms\", \"direction\""},
        {"\"n\": 12", "\"n\": 11"},
        {"\"direction\": \"lower\"", "\"direction\": \"sideways\""},
        {"\"commit\": \"" + commit_, "\"commit\": \"--upload-pack=x"}};
    for (const auto& [from, to] : changes) {
        replace_in_file(from, to);
        const std::string bad = text();
        const auto seen = gate();
        EXPECT_EQ(seen.exit_code, 2) << from;
        EXPECT_THAT(seen.err, HasSubstr("tiny.json"));
        EXPECT_EQ(accept().exit_code, 2) << from;
        EXPECT_EQ(text(), bad);
        std::ofstream(file()) << good;
    }
    replace_in_file("\"class\": \"", "\"class\": \"other-");
    const json seen = object(4);
    EXPECT_EQ(check(seen, "timings")["outcome"], "invalid");
    EXPECT_THAT(check(seen, "timings")["reasons"][0].get<std::string>(),
                HasSubstr("another machine class"));
}

TEST_F(TareGateTimings, margins_smaller_than_honest_ones_are_2) {
    ASSERT_EQ(accept().exit_code, 0);
    const auto calibrated =
        fakes::run({fakes::Tare::binary(), "calibrate", tare_.scenario, "--engine", engine_,
                    "--store", tare_.store, "--profiled-rounds", "0", "--quiet"});
    ASSERT_EQ(calibrated.exit_code, 0) << calibrated.err;
    const int before = starts();
    const auto refused = gate({"--margin", "prefill_wall_ns=0.0001%"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("honest margin"));
    EXPECT_EQ(starts(), before) << "said before anything is measured";
    EXPECT_EQ(accept({"--margin", "prefill_wall_ns=0.0001%"}).exit_code, 2);
    const json seen = object(0);
    EXPECT_THAT(check(seen, "timings")["against"].get<std::string>(), HasSubstr("; calibrated 2"));
    ASSERT_EQ(accept().exit_code, 0);
    EXPECT_EQ(json::parse(text())["calibration"]["rounds"], 24);
}

TEST_F(TareGateTimings, a_planted_fault_is_said) {
    ASSERT_EQ(accept().exit_code, 0);
    const std::vector<std::string> fault = {"--engine-arg", "--fault", "--engine-arg", "token:0:0"};
    std::vector<std::string> words = {"--only", "timings"};
    words.insert(words.end(), fault.begin(), fault.end());
    EXPECT_EQ(object(0, words)["gates"][0]["planted"], true);
    EXPECT_EQ(object(0, {"--only", "timings"})["gates"][0]["planted"], false);
}

TEST_F(TareGateTimings, words_that_do_not_go_together_are_2) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--rounds", "5"},
             {"--rounds", "0"},
             {"--against", "memory"},
             {"--margin", "prefill_wall_ns"},
             {"--margin", "speed=2%"},
             {"--accept", "--reason", "x", "--only", "timings,counts"}})
        EXPECT_EQ(gate(words).exit_code, 2) << testing::PrintToString(words);
}

TEST_F(TareGateTimings, each_arm_of_a_scenario_is_compared_with_itself) {
    tare_.add_to_scenario("[arms.plain]\nargs = []\n[arms.other]\nargs = [\"--moe\", \"dense\"]\n");
    ASSERT_EQ(accept({"--only", "timings"}).exit_code, 0);
    engine_is(usual_ns * 11 / 10, "FAKE_DIRTY=1");
    const json seen = object(1, {"--only", "timings"});
    std::vector<std::string> arms;
    for (const json& one : seen["gates"][0]["checks"]) {
        arms.push_back(one["arm"]);
        EXPECT_EQ(one["outcome"], "regressed") << one;
    }
    EXPECT_EQ(arms, (std::vector<std::string>{"plain", "other"}));
    EXPECT_EQ(object(1, {"--only", "timings", "--against", "stored"})["exit_code"], 1);
}

// The real engine and its faults: the delay follows what the machine was found to be able to tell.
TEST(TareGateShipped, self_test_delays_by_five_honest_margins_once_calibrated_slow) {
    const fakes::Tare tare;
    const std::string scenario = fakes::Tare::shipped("decode-64");
    const auto calibrated = fakes::run({fakes::Tare::binary(), "calibrate", scenario,
                                        "--profiled-rounds", "0", "--quiet", "--store", tare.store},
                                       {.timeout_s = 300});
    ASSERT_EQ(calibrated.exit_code, 0) << calibrated.err;
    const auto seen = fakes::run({fakes::Tare::binary(), "gate", scenario, "--self-test", "--quiet",
                                  "--format", "json", "--store", tare.store},
                                 {.timeout_s = 300});
    EXPECT_EQ(seen.exit_code, 0) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("a delay of 5 honest margins in every op (decode "));
    EXPECT_THAT(seen.out, HasSubstr("reported as it should (calibrated 2"));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// tare run with engines that behave and engines that do not.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

std::string content(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

json shown(const fakes::Tare& tare) {
    return json::parse(tare({"show", "--format", "json"}).out);
}

TEST(TareRun, good_engine_gives_a_report_and_a_stored_run) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_HAS(result.out, "prefill");
    EXPECT_HAS(result.err, "trial 1 of 2 (round 1 of 2, timed)");
    const json run = shown(tare);
    EXPECT_EQ(run["run"]["status"], "finished");
    EXPECT_EQ(run["trials"].size(), 2u);
    EXPECT_EQ(run["build"]["commit"], "fake");
    EXPECT_EQ(run["model"]["name"], "fake");
    EXPECT_EQ(run["roof"]["how"], "made up by a fake");
    EXPECT_EQ(run["plan"]["order"].size(), 2u);
}

TEST(TareRun, quiet_says_nothing_on_stderr) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good", {"--quiet"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
}

// One engine that misbehaves, and what has to be said about it.
struct Misbehaviour {
    const char* how;
    const char* reason;
};

class TareRunInvalid : public testing::TestWithParam<Misbehaviour> {};

TEST_P(TareRunInvalid, trial_is_invalid_with_words_and_the_run_goes_on) {
    const fakes::Tare tare;
    const auto result = tare.run_fake(GetParam().how);
    EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
    EXPECT_HAS(result.err, GetParam().reason);
    const json run = shown(tare);
    ASSERT_EQ(run["trials"].size(), 2u);  // the second one was tried too
    for (const json& trial : run["trials"]) {
        EXPECT_EQ(trial["valid"], false);
        EXPECT_HAS(trial["reason"].get<std::string>(), GetParam().reason);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Engines,
    TareRunInvalid,
    testing::Values(Misbehaviour{"crash", "signal 11"},
                    Misbehaviour{"exit3", "exit code 3; its last words: fake: no such thing"},
                    Misbehaviour{"no-end", "end"},
                    Misbehaviour{"garbage", "line"},
                    Misbehaviour{"unknown-protocol", "99"}),
    [](const auto& param_info) {
        std::string name = param_info.param.how;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(TareRun, hang_is_killed_at_the_limit_and_two_hangs_end_the_run) {
    const fakes::Tare tare;
    std::string text = content(tare.scenario);
    text.replace(text.find("= 20"), 4, "= 0.5");
    text.replace(text.find("rounds = 2"), 10, "rounds = 9");
    tare.folder().write("tiny.toml", text);
    const auto result = tare.run_fake("hang");
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_HAS(result.err, "still running after 0.5 s");
    EXPECT_HAS(result.err, "stopped after 2 trials that hung");
    const json run = shown(tare);
    EXPECT_EQ(run["trials"].size(), 2u);
    EXPECT_EQ(run["trials"][0]["timed_out"], true);
    EXPECT_EQ(run["run"]["status"], "failed");
}

TEST(TareRun, profiled_trial_without_a_capture_is_invalid) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good", {"--profiled-rounds", "1"});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_HAS(result.err, "there is no capture");
}

TEST(TareRun, probe_is_seen_by_profiled_trials_only) {
    const fakes::Tare tare;
    const std::string engine = fakes::Tare::engine();
    tare({"run", tare.scenario, "--engine", engine, "--profiled-rounds", "2"},
         {{"FAKE_ENGINE_LOG", tare.log()},
          {"NVTX_INJECTION64_PATH", "/callers/own.so"},
          {"TARE_PROBE_FAULT", "drop:2"}});
    std::ifstream log(tare.log());
    int with = 0, without = 0;
    for (std::string line; std::getline(log, line);) {
        EXPECT_LACKS(line, "/callers/own.so");
        const bool probed = line.find("libtare-probe.so") != std::string::npos;
        if (probed) {
            ++with;
            EXPECT_HAS(line, "fault=drop:2");
            EXPECT_HAS(line, ".probe");
        } else {
            ++without;
            EXPECT_HAS(line, "probe= cuda= out= fault= ");
        }
    }
    EXPECT_EQ(with, 2);
    EXPECT_EQ(without, 3);  // two timed trials and the greeting
    const json run = shown(tare);
    for (const json& trial : run["trials"])
        EXPECT_EQ(trial["planted"], trial["mode"] == "profiled");
}

TEST(TareRun, fault_argument_marks_every_trial_planted_and_spares_the_greeting) {
    const fakes::Tare tare;
    const auto result =
        tare.run_fake("good", {"--engine-arg", "--fault", "--engine-arg", "delay:*:50"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json run = shown(tare);
    ASSERT_EQ(run["trials"].size(), 2u);
    for (const json& trial : run["trials"]) EXPECT_EQ(trial["planted"], true);
    std::ifstream log(tare.log());
    for (std::string line; std::getline(log, line);)
        EXPECT_EQ(line.find("trial=yes") != std::string::npos,
                  line.find("--fault delay:*:50") != std::string::npos)
            << line;
}

TEST(TareRun, options_reach_the_engine) {
    const fakes::Tare tare;
    tare.run_fake("good", {"--threads", "2", "--reps", "3", "--rounds", "1", "--seed", "11"});
    const std::string log = content(tare.log());
    EXPECT_HAS(log, "--threads 2");
    EXPECT_HAS(log, "--reps 3 --warm-up 1");
    const json run = shown(tare);
    EXPECT_EQ(run["plan"]["seed"], 11);
    EXPECT_EQ(run["trials"].size(), 1u);
}

TEST(TareRun, rounds_do_not_make_another_scenario_and_reps_do) {
    const fakes::Tare tare;
    const auto identity = [&](std::vector<std::string> more) {
        tare.run_fake("good", std::move(more));
        return shown(tare)["scenario"]["sha256"];
    };
    const json one = identity({"--rounds", "1"});
    EXPECT_EQ(one, identity({"--rounds", "2"}));
    EXPECT_NE(one, identity({"--reps", "2"}));
}

TEST(TareRun, seeded_prompt_is_kept_beside_the_raw_files) {
    const fakes::Tare tare;
    std::string text = content(tare.scenario);
    text.replace(text.find("file = \"p.json\""), 15, "seed = 3\ncount = 5");
    tare.folder().write("tiny.toml", text);
    EXPECT_EQ(tare.run_fake("good").exit_code, 0);
    const json prompt = json::parse(content(tare.store + "/raw/1/prompt.json"));
    EXPECT_EQ(prompt.size(), 5u);
}

// Starts tare with a slow engine, waits for the second trial to begin, sends a signal to tare
// alone.
fakes::Result interrupted(const fakes::Tare& tare, const char* signal) {
    const std::string script = R"sh(
        log="$1"; signal="$2"; shift 2
        "$@" & tare=$!
        for i in $(seq 400); do
            [ "$(grep -c trial=yes "$log" 2>/dev/null)" -ge 2 ] 2>/dev/null && break
            sleep 0.05
        done
        kill -$signal $tare
        wait $tare
    )sh";
    return fakes::run(
        {"/bin/sh", "-c", script, "sh", tare.log(), signal, fakes::Tare::binary(), "run",
         tare.scenario, "--engine", fakes::Tare::engine(), "--rounds", "50", "--store", tare.store},
        {.env = {{"FAKE_ENGINE", "slow"}, {"FAKE_ENGINE_LOG", tare.log()}}});
}

class TareRunInterrupted : public testing::TestWithParam<const char*> {};

TEST_P(TareRunInterrupted, keeps_what_was_measured_and_exits_130) {
    const fakes::Tare tare;
    const auto result = interrupted(tare, GetParam());
    EXPECT_EQ(result.exit_code, 130) << result.err;
    const json run = shown(tare);
    EXPECT_EQ(run["run"]["status"], "interrupted");
    ASSERT_EQ(run["trials"].size(), 2u);
    EXPECT_EQ(run["trials"][0]["valid"], true);
    EXPECT_EQ(run["trials"][1]["valid"], false);
    EXPECT_HAS(run["trials"][1]["reason"].get<std::string>(), "interrupted");
    EXPECT_EQ(tare({"report"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Signals,
                         TareRunInterrupted,
                         testing::Values("INT", "TERM", "HUP"),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST(TareRun, hang_up_that_nohup_made_ignored_ends_nothing) {
    const fakes::Tare tare;
    const auto result = fakes::run(
        {"/bin/sh", "-c", "trap '' HUP; \"$@\" & tare=$!; sleep 0.5; kill -HUP $tare; wait $tare",
         "sh", fakes::Tare::binary(), "run", tare.scenario, "--engine", fakes::Tare::engine(),
         "--store", tare.store},
        {.env = {{"FAKE_ENGINE", "slow"}}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(TareRun, killed_outright_leaves_a_store_that_opens_and_lists) {
    const fakes::Tare tare;
    interrupted(tare, "KILL");
    const auto list = tare({"list", "--format", "json"});
    ASSERT_EQ(list.exit_code, 0) << list.err;
    const json runs = json::parse(list.out)["runs"];
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]["status"], "interrupted");
    EXPECT_EQ(runs[0]["valid_trials"], 1);
    EXPECT_EQ(tare({"report"}).exit_code, 0);
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

}  // namespace

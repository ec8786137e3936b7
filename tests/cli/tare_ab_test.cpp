// SPDX-License-Identifier: Apache-2.0
// tare ab: arms of a fake engine whose times, tokens and counts are as asked for.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"
#include "tests/scenarios/build/sample_repository.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

class TareAb : public testing::Test {
  protected:
    TareAb() { tare_.add_to_scenario("[metrics]\nprefill_wall_ns = { margin = \"2%\" }\n"); }

    // `words` are arms and options; timed rounds only unless they say otherwise.
    fakes::Result ab(std::vector<std::string> words, std::vector<std::string> more = {}) const {
        words.insert(words.begin(), "ab");
        words.push_back(tare_.scenario);
        words.insert(words.end(), {"--engine", fakes::Tare::engine(), "--seed", "7"});
        words.insert(words.end(), more.begin(), more.end());
        return tare_(words, {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}});
    }

    json object(const std::vector<std::string>& words,
                int exit_code,
                std::vector<std::string> more = {"--profiled-rounds", "0"}) const {
        more.insert(more.end(), {"--format", "json"});
        const auto result = ab(words, more);
        EXPECT_EQ(result.exit_code, exit_code) << result.err << result.out;
        return json::parse(result.out, nullptr, false);
    }

    int starts() const {
        int count = 0;
        std::ifstream log(tare_.log());
        for (std::string line; std::getline(log, line);)
            count += line.find("trial=yes") != std::string::npos;
        return count;
    }

    fakes::Tare tare_;
};

const json& metric(const json& report, const std::string& name) {
    for (const json& one : report["metrics"])
        if (one["name"] == name) return one;
    static const json none = json::object();
    ADD_FAILURE() << "no metric " << name;
    return none;
}

TEST_F(TareAb, equal_arms_are_the_same_after_the_first_look) {
    const json seen = object({"env:X=1", "env:X=1"}, 0);
    EXPECT_EQ(seen["schema"], "tare.compare/1");
    EXPECT_EQ(seen["verdict"], "same");
    EXPECT_EQ(seen["exit_code"], 0);
    const json& wall = metric(seen, "prefill.wall_ns");
    EXPECT_EQ(wall["verdict"], "same");
    EXPECT_EQ(wall["n"], 8);
    EXPECT_EQ(wall["looks"], 4);
    EXPECT_NEAR(wall["ratio"].get<double>(), 1, 0.002);
    EXPECT_LE(wall["lo"], wall["ratio"]);
    EXPECT_GE(wall["hi"], wall["ratio"]);
    EXPECT_EQ(seen["tokens"]["identical"], true);
    EXPECT_EQ(starts(), 2 + 16) << "one process of each arm before, then 8 rounds of two";
}

TEST_F(TareAb, slower_by_more_than_the_margin_is_regressed_with_1) {
    const json seen = object({"env:FAKE_WALL_NS=1000000", "env:FAKE_WALL_NS=1100000"}, 1);
    EXPECT_EQ(seen["verdict"], "regressed");
    const json& wall = metric(seen, "prefill.wall_ns");
    EXPECT_EQ(wall["verdict"], "regressed");
    EXPECT_NEAR(wall["ratio"].get<double>(), 1.1, 0.003);
    EXPECT_GT(wall["lo"].get<double>(), 1);
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "prefill.wall_ns regressed");
}

TEST_F(TareAb, faster_by_more_than_the_margin_is_improved_with_0) {
    const json seen = object({"env:FAKE_WALL_NS=1100000", "env:FAKE_WALL_NS=1000000"}, 0);
    EXPECT_EQ(seen["verdict"], "improved");
}

TEST_F(TareAb, too_few_rounds_for_an_interval_are_inconclusive_with_3) {
    const json seen = object({"env:FAKE_WALL_NS=1000000", "env:FAKE_WALL_NS=1100000"}, 3,
                             {"--profiled-rounds", "0", "--rounds", "4"});
    EXPECT_EQ(seen["verdict"], "inconclusive");
    EXPECT_EQ(metric(seen, "prefill.wall_ns")["lo"], nullptr);
}

TEST_F(TareAb, a_token_that_differs_is_a_regression_with_its_place) {
    const json seen = object({"env:X=1", "env:FAKE_TOKEN=8"}, 1);
    EXPECT_EQ(seen["verdict"], "regressed");
    EXPECT_EQ(seen["tokens"]["identical"], false);
    EXPECT_EQ(seen["tokens"]["first_divergence"]["request"], 0);
    EXPECT_EQ(seen["tokens"]["first_divergence"]["position"], 0);
    EXPECT_EQ(seen["tokens"]["first_divergence"]["margin"], 1.5);
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "tokens differ first at request 0");
    EXPECT_EQ(metric(seen, "prefill.wall_ns")["verdict"], "same");
}

TEST_F(TareAb, an_arm_that_cannot_start_is_invalid_with_its_last_words_and_no_round_is_run) {
    const json seen = object({"env:X=1", "env:FAKE_ENGINE=exit3"}, 4);
    EXPECT_EQ(seen["verdict"], "invalid");
    EXPECT_EQ(seen["arms"][0]["invalid"], nullptr);
    EXPECT_HAS(seen["arms"][1]["invalid"].get<std::string>(), "fake: no such thing");
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "arm b cannot be measured");
    EXPECT_EQ(starts(), 3) << "the arm that failed is tried twice";
}

TEST_F(TareAb, an_unknown_protocol_makes_the_arm_invalid_with_both_numbers) {
    const json seen = object({"env:X=1", "env:FAKE_ENGINE=unknown-protocol"}, 4);
    const std::string why = seen["arms"][1]["invalid"];
    EXPECT_HAS(why, "protocol 99");
    EXPECT_HAS(why, "reads 1 to 1");
}

TEST_F(TareAb, an_engine_that_lacks_a_flag_is_an_invalid_arm_that_says_so) {
    auto result = tare_({"ab", "env:X=1", "args:--no-such-flag", "decode-64", "--scenarios",
                         TARE_SOURCE_DIR "/scenarios", "--profiled-rounds", "0"});
    EXPECT_EQ(result.exit_code, 4) << result.out;
    EXPECT_HAS(result.out, "--no-such-flag");
    EXPECT_HAS(result.out, "INVALID");
}

TEST_F(TareAb, one_crash_costs_its_block_and_not_the_verdict) {
    const json seen = object({"env:FAKE_CRASH_START=6", "env:FAKE_CRASH_START=6"}, 0);
    EXPECT_EQ(seen["verdict"], "same");
    EXPECT_EQ(seen["plan"]["replaced_rounds"], 2);
    EXPECT_EQ(metric(seen, "prefill.wall_ns")["n"], 8);
    EXPECT_EQ(
        seen["arms"][0]["failed_trials"].get<int>() + seen["arms"][1]["failed_trials"].get<int>(),
        1);
    EXPECT_EQ(starts(), 2 + 16 + 4) << "a block more";
}

TEST_F(TareAb, an_arm_that_fails_again_and_again_is_named) {
    // Fails in profiled trials only: the process before the rounds is not profiled.
    const json seen =
        object({"env:X=1", "env:FAKE_CAPTURE=truncated"}, 4, {"--profiled-rounds", "8"});
    EXPECT_EQ(seen["verdict"], "invalid");
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "arm b: 2 of its trials failed");
}

TEST_F(TareAb, three_arms_are_compared_with_the_first_and_with_their_predecessor) {
    const json seen = object(
        {"env:FAKE_WALL_NS=1000000", "env:FAKE_WALL_NS=1000000", "env:FAKE_WALL_NS=1200000"}, 1);
    ASSERT_EQ(seen["pairs"].size(), 3u);
    const auto pair = [&](std::size_t i) {
        return seen["pairs"][i]["a"].get<std::string>() + seen["pairs"][i]["b"].get<std::string>() +
               " " + seen["pairs"][i]["verdict"].get<std::string>();
    };
    EXPECT_EQ(pair(0), "ab same");
    EXPECT_EQ(pair(1), "ac regressed");
    EXPECT_EQ(pair(2), "bc regressed");
}

TEST_F(TareAb, arms_of_the_scenario_are_compared_when_none_are_given) {
    tare_.add_to_scenario(
        "[arms.old]\nargs = []\n[arms.new]\nenv = { FAKE_WALL_NS = \"1200000\" }\n");
    const json seen = object({}, 1);
    EXPECT_EQ(seen["pairs"][0]["a"], "old");
    EXPECT_EQ(seen["pairs"][0]["b"], "new");
}

TEST_F(TareAb, profiled_rounds_give_blame_and_a_waterfall_that_adds_up) {
    const json seen = object({"env:X=1", "env:X=1"}, 0, {"--profiled-rounds", "8"});
    EXPECT_FALSE(seen["blame"].empty());
    ASSERT_FALSE(seen["waterfalls"].empty());
    for (const json& waterfall : seen["waterfalls"]) {
        double sum = waterfall["rest_ns"];
        for (const json& row : waterfall["rows"]) sum += row["delta_ns"].get<double>();
        EXPECT_NEAR(sum, waterfall["wall_ns"].get<double>(), 1);
    }
}

TEST_F(TareAb, every_format_holds_the_verdict) {
    const std::vector<std::string> arms = {"env:X=1", "env:FAKE_WALL_NS=1100000"};
    const auto as = [&](const char* format) {
        return ab(arms, {"--profiled-rounds", "0", "--format", format}).out;
    };
    EXPECT_HAS(as("table"), "REGRESSED");
    EXPECT_HAS(as("markdown"), "| prefill.wall\\_ns |");
    const std::string junit = as("junit");
    EXPECT_HAS(junit, "<?xml version=\"1.0\"");
    EXPECT_HAS(junit, "<failure type=\"regressed\"");
    EXPECT_HAS(junit, "failures=\"1\"");
    EXPECT_HAS(as("github"), "::error title=");
}

TEST_F(TareAb, a_stored_comparison_is_shown_and_explained_again) {
    const json first = object({"env:X=1", "env:FAKE_WALL_NS=1100000"}, 1);
    const auto again = tare_({"compare", "latest", "--format", "json"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(json::parse(again.out, nullptr, false), first);
    const auto words = tare_({"explain"});
    EXPECT_EQ(words.exit_code, 0) << words.err;
    EXPECT_HAS(words.out, "b is REGRESSED against a");
    EXPECT_HAS(words.out, "prefill.wall_ns");
    EXPECT_HAS(words.out, "\nnext  ");
    tare_.run_fake("good");
    const auto of_one = tare_({"explain", "latest"});
    EXPECT_EQ(of_one.exit_code, 2);
    EXPECT_HAS(of_one.err, "one arm");
}

TEST_F(TareAb, what_is_asked_wrongly_is_2_before_anything_starts) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"env:X=1"}, "needs two arms"},
        {{"env:X=1", "env:Y"}, "env has no '='"},
        {{"env:X=1", "env:X=1", "--rounds", "5"}, "blocks of two"},
        {{"env:X=1", "env:X=1", "--margin", "prefill_wall=2%"}, "prefill_wall_ns"},
        {{"env:X=1", "env:X=1", "--margin", "prefill_wall_ns=0"}, "above 0%"},
        {{"env:X=1", "env:X=1", "--budget", "soon"}, "90s, 10m or 2h"},
        {{"env:X=1", "build:/nonexistent"}, "no program in /nonexistent"},
        {{}, "has no [arms]"},
    };
    for (const auto& [words, part] : wrong) {
        const auto result = ab(words);
        EXPECT_EQ(result.exit_code, 2) << part;
        EXPECT_HAS(result.err, part);
    }
}

TEST_F(TareAb, a_budget_becomes_fewer_looks_and_one_too_small_is_refused) {
    const json seen =
        object({"env:X=1", "env:X=1"}, 0, {"--profiled-rounds", "0", "--budget", "1h"});
    EXPECT_EQ(seen["plan"]["looks"], (json{8, 12, 16, 24}));
    const auto refused = ab({"env:X=1", "env:X=1"}, {"--budget", "0.001s"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_HAS(refused.err, "allow at least");
}

TEST_F(TareAb, refs_are_built_and_compared) {
    const tests::SampleRepository repository;
    const auto script = [](int wall_ns) {
        return fmt::format("#!/bin/sh\nFAKE_WALL_NS={} exec {} \"$@\"\n", wall_ns,
                           fakes::Tare::engine());
    };
    repository.write("tare.toml",
                     "[build]\ncommand = \"cp engine.sh engine && chmod +x engine\"\n"
                     "artefact = \"engine\"\n");
    repository.write("engine.sh", script(1'000'000));
    repository.commit("first");
    repository.write("engine.sh", script(1'100'000));
    repository.commit("second");
    const auto in_repository = [&](const std::string& a) {
        return fakes::run({fakes::Tare::binary(), "ab", a, "HEAD", tare_.scenario, "--engine",
                           fakes::Tare::engine(), "--store", tare_.store, "--profiled-rounds", "0",
                           "--format", "json"},
                          {.directory = repository.top().string()});
    };
    const auto result = in_repository("HEAD~1");
    EXPECT_EQ(result.exit_code, 1) << result.err << result.out;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_EQ(seen["verdict"], "regressed");
    EXPECT_EQ(seen["arms"][0]["spec"], "HEAD~1");
    EXPECT_HAS(result.err, "building commit");
    const auto missing = in_repository("HEAD~7");
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_HAS(missing.err, "\"HEAD~7\" names no commit");
    repository.git("rm -q engine.sh");
    repository.commit("broken");
    const auto broken = in_repository("HEAD~1");
    EXPECT_EQ(broken.exit_code, 4);
    EXPECT_HAS(broken.out, "does not build");
    EXPECT_HAS(broken.out, "build.log");
}

TEST_F(TareAb, a_hang_up_keeps_what_was_measured_and_leaves_nothing_running) {
    const std::vector<std::string> argv = {fakes::Tare::binary(),
                                           "ab",
                                           "env:X=1",
                                           "env:X=1",
                                           tare_.scenario,
                                           "--engine",
                                           fakes::Tare::engine(),
                                           "--store",
                                           tare_.store,
                                           "--profiled-rounds",
                                           "0",
                                           "--rounds",
                                           "64"};
    const std::string output = (tare_.folder().path() / "out").string();
    fakes::Started process(argv, {{"FAKE_ENGINE", "slow"}}, output);
    for (int i = 0; i < 1000 && fakes::text_of(output).find("trial 2 of") == std::string::npos; ++i)
        usleep(20'000);
    ::kill(process.pid(), SIGHUP);
    const int status = process.wait_for_end(20);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << fakes::text_of(output);
    const auto list = tare_({"list", "--format", "json"});
    EXPECT_HAS(list.out, "interrupted");
    EXPECT_EQ(fakes::processes_of(fakes::Tare::engine(), tare_.folder().path().string()), 0);
}

TEST_F(TareAb, verdict_is_kept_with_the_run_and_concluded_again_the_same) {
    const json seen = object({"env:FAKE_WALL_NS=1000000", "env:FAKE_WALL_NS=1100000"}, 1);
    const auto shown = [&] { return json::parse(tare_({"show", "1", "--format", "json"}).out); };
    const json kept = shown()["verdict"];
    EXPECT_EQ(kept["verdict"], "regressed");
    EXPECT_EQ(kept["exit_code"], 1);
    EXPECT_EQ(kept["kind"], "ab");
    EXPECT_EQ(kept["reasons"], seen["reasons"]);
    EXPECT_HAS(kept["suite_version"].get<std::string>(), "tare ");
    ASSERT_EQ(kept["metrics"].size(), seen["metrics"].size());
    const json& wall = metric(seen, "prefill.wall_ns");
    const json& wall_kept = metric(kept, "prefill.wall_ns");
    for (const char* key : {"verdict", "ratio", "lo", "hi", "level", "margin", "reason"})
        EXPECT_EQ(wall_kept[key], wall[key]) << key;
    EXPECT_EQ(wall_kept["rounds"], wall["n"]);
    const json listed = json::parse(tare_({"list", "--format", "json"}).out)["runs"][0];
    EXPECT_EQ(listed["verdict"], "regressed");
    EXPECT_EQ(listed["exit_code"], 1);
    EXPECT_HAS(tare_({"list"}).out, "regressed");
    EXPECT_HAS(tare_({"show", "1"}).out, "Verdict of ab: regressed, exit code 1");

    const auto again = tare_({"store", "rebuild"});
    EXPECT_HAS(again.out, "verdicts of 1 comparisons concluded again");
    EXPECT_LACKS(again.out, " now");
    EXPECT_EQ(shown()["verdict"], kept);
    EXPECT_EQ(tare_({"explain", "1"}).err, "");
}

TEST_F(TareAb, verdict_that_another_tare_concluded_is_said_and_replaced_only_by_a_rebuild) {
    object({"env:X=1", "env:X=1"}, 0);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((tare_.store + "/tare.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database,
                           "update verdict set verdict = 'regressed', exit_code = 1, "
                           "suite_version = 'tare 9'",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
    const auto said = tare_({"explain", "1"});
    EXPECT_HAS(said.err, "was concluded as regressed (exit 1) by tare 9");
    EXPECT_HAS(tare_({"list"}).out, "regressed");
    EXPECT_HAS(tare_({"store", "rebuild"}).out,
               "run 1: regressed (exit 1) by tare 9, same (exit 0) now");
    EXPECT_LACKS(tare_({"list"}).out, "regressed");
    EXPECT_EQ(tare_({"explain", "1"}).err, "");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Workload "command": a program that is no engine, from its scenario to its report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include <nlohmann/json.hpp>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// A scenario whose command is a line of shell.
class TareCommand : public testing::Test {
  protected:
    std::string scenario(const std::string& script, const std::string& more = "") const {
        const auto file = tare_.folder().write("work/run.sh", "#!/bin/sh\n" + script + "\n");
        fs::permissions(file, fs::perms::owner_all);
        return tare_.folder()
            .write("work/app.toml",
                   "name = \"app\"\nworkload = \"command\"\ncommand = [\"./run.sh\"]\n"
                   "rounds = 2\ntime_limit_s = 20\n" +
                       more)
            .string();
    }

    json object(const std::vector<std::string>& words, int exit_code = 0) const {
        auto all = words;
        all.insert(all.end(), {"--format", "json"});
        const auto seen = tare_(all);
        EXPECT_EQ(seen.exit_code, exit_code) << seen.err << seen.out;
        return json::parse(seen.out, nullptr, false);
    }

    static std::string line(const std::string& value, const std::string& direction) {
        return R"(echo '{"type":"metric","name":"speed","value":)" + value +
               R"(,"unit":"1/s","direction":")" + direction + R"("}' >>"$TARE_RESULT_FILE")";
    }

    static const json& metric(const json& report, const std::string& name) {
        for (const json& one : report["metrics"])
            if (one["name"] == name) return one;
        static const json none = json::object();
        ADD_FAILURE() << "no metric " << name << " in " << report["metrics"];
        return none;
    }

    fakes::Tare tare_;
};

TEST_F(TareCommand, wall_time_and_what_it_says_are_its_metrics) {
    const json seen = object({"run", scenario("sleep 0.05\n" + line("3", "higher") + "\n" +
                                              line("9", "higher") + "\n" + line("4", "higher"))});
    EXPECT_GT(metric(seen, "process_wall_ns")["value"], 50'000'000);
    EXPECT_LT(metric(seen, "process_wall_ns")["value"], 10'000'000'000);
    EXPECT_EQ(metric(seen, "process_wall_ns")["direction"], "lower");
    EXPECT_EQ(metric(seen, "speed")["value"], 4) << "the median of what one process said";
    EXPECT_EQ(metric(seen, "speed")["unit"], "1/s");
    EXPECT_EQ(metric(seen, "speed")["direction"], "higher");
    EXPECT_EQ(seen["run"]["valid"], true);
    EXPECT_EQ(seen["run"]["model"]["name"], "");
}

TEST_F(TareCommand, starts_at_the_scenario_with_its_arguments_and_its_stdout_is_kept) {
    const auto file = scenario("echo \"$PWD|$*\"", "arguments = [\"a b\", \"c\"]\n");
    ASSERT_EQ(tare_({"run", file, "--engine-arg", "d"}).exit_code, 0);
    const auto raw = fs::path(tare_.store) / "raw/1/1.stdout.zst";
    ASSERT_TRUE(fs::exists(raw));
    const auto text = fakes::run({"sh", "-c", "zstd -dc '" + raw.string() + "' 2>/dev/null"});
    if (text.exit_code == 0) {  // zstd's own program is there
        EXPECT_EQ(text.out, (tare_.folder().path() / "work").string() + "|a b c d\n");
    }
    const auto shown = tare_({"show"});
    EXPECT_THAT(shown.out, HasSubstr("run.sh a b c d"));
    EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
}

TEST_F(TareCommand, bad_metric_line_makes_the_trial_invalid_and_says_which) {
    const json seen =
        object({"run", scenario(line("1", "higher") + "\n" + line("\"fast\"", "higher"))}, 4);
    const std::string reasons = seen["run"]["reasons"].dump();
    EXPECT_THAT(reasons, HasSubstr("$TARE_RESULT_FILE line 2"));
    EXPECT_THAT(reasons, HasSubstr("a finite number"));
}

TEST_F(TareCommand, what_is_no_file_is_invalid_and_is_not_waited_for) {
    const json seen = object({"run", scenario("mkfifo \"$TARE_RESULT_FILE\"")}, 4);
    EXPECT_THAT(seen["run"]["reasons"].dump(), HasSubstr("is no file"));
}

TEST_F(TareCommand, failure_is_invalid_with_its_last_words_and_no_metric) {
    const json seen = object({"run", scenario("echo 'no such port' >&2; exit 2")}, 4);
    EXPECT_THAT(seen["run"]["reasons"].dump(), HasSubstr("exit code 2; its last words: no such"));
    EXPECT_TRUE(seen["metrics"].empty());
}

TEST_F(TareCommand, time_limit_ends_it_and_what_it_started) {
    const std::string file = scenario("sleep 60 & sleep 60");
    const std::string text = fakes::text_of(file);
    std::ofstream(file) << std::regex_replace(text, std::regex("time_limit_s = 20"),
                                              "time_limit_s = 1");
    const auto seen = tare_({"run", file, "--rounds", "1"});
    EXPECT_EQ(seen.exit_code, 4);
    EXPECT_THAT(seen.out, HasSubstr("the plan's time limit"));
}

// An engine that says nothing for so long hangs.
TEST_F(TareCommand, silence_is_no_hang_slow) {
    EXPECT_EQ(tare_({"run", scenario("sleep 7"), "--rounds", "2"}).exit_code, 0);
}

TEST_F(TareCommand, exact_metric_is_a_count_that_the_gate_holds_against_its_baseline) {
    const std::string baselines = (tare_.folder().path() / "baselines").string();
    const auto gate = [&](const std::string& script, std::vector<std::string> more) {
        more.insert(more.begin(), {"gate", scenario(script), "--baselines", baselines});
        return tare_(more);
    };
    const auto none = gate("true", {"--accept", "--reason", "first"});
    EXPECT_EQ(none.exit_code, 4) << "nothing exact, so nothing that could be held";
    EXPECT_THAT(none.out, HasSubstr("no counts"));
    ASSERT_EQ(gate(line("7", "exact"), {"--accept", "--reason", "first"}).exit_code, 0);
    EXPECT_EQ(gate(line("7", "exact"), {}).exit_code, 0);
    const auto other = gate(line("8", "exact"), {});
    EXPECT_EQ(other.exit_code, 1) << other.out;
    EXPECT_THAT(other.out, HasSubstr("speed: 7 1/s before, 8 1/s now"));
}

TEST_F(TareCommand, outermost_ranges_are_phases_of_profiled_trials) {
    const std::string program = TARE_BUILD_DIR "/tests/probes/traced_program";
    const std::string file = scenario("exec " + program + " names", "profiled_rounds = 1\n");
    const json seen = object({"run", file});
    ASSERT_EQ(seen["phases"].size(), 4u) << seen["phases"];
    const json& outer = seen["phases"][0];
    EXPECT_EQ(outer["phase"], "outer");
    EXPECT_EQ(outer["mode"], "profiled");
    EXPECT_EQ(outer["wall_ns"].get<int>(),
              outer["busy_ns"].get<int>() + outer["gap_ns"].get<int>());
    double total_ns = 0;
    for (const json& kernel : seen["kernels"])
        if (kernel["phase"] == "outer") total_ns += kernel["total_ns"].get<double>();
    EXPECT_EQ(total_ns, outer["busy_ns"].get<double>());
    EXPECT_EQ(tare_({"report", "--format", "html"}).exit_code, 0);
    EXPECT_EQ(tare_({"export", "--format", "csv"}).exit_code, 0);
    ASSERT_EQ(tare_({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ(object({"report"})["kernels"], seen["kernels"]);
    EXPECT_EQ(object({"report"})["metrics"], seen["metrics"]);
}

TEST_F(TareCommand, profile_without_ranges_is_invalid_with_what_to_do) {
    const auto seen = tare_({"run", scenario("true", "profiled_rounds = 1\n")});
    EXPECT_EQ(seen.exit_code, 4);
    EXPECT_THAT(seen.out, HasSubstr("there is no capture"));
}

TEST_F(TareCommand, arms_are_compared_by_what_they_say) {
    const std::string margins = "[metrics]\nspeed = { margin = \"5%\" }\n";
    const std::string file = scenario(
        line("$SPEED", "higher").replace(line("$SPEED", "higher").find("$SPEED"), 6, "'$SPEED'"),
        margins);
    const json slower = object({"ab", "env:SPEED=100", "env:SPEED=80", file}, 1);
    EXPECT_EQ(metric(slower, "speed")["verdict"], "regressed");
    EXPECT_NEAR(metric(slower, "speed")["ratio"].get<double>(), 0.8, 1e-9);
    EXPECT_EQ(object({"ab", "env:SPEED=100", "env:SPEED=100", file}, 0)["verdict"], "same");
    EXPECT_EQ(object({"ab", "env:SPEED=80", "env:SPEED=100", file}, 0)["verdict"], "improved");
}

TEST_F(TareCommand, margin_of_what_nobody_measures_never_passes) {
    const std::string file =
        scenario(line("5", "higher"), "[metrics]\nsped = { margin = \"5%\" }\n");
    const json seen =
        object({"ab", "env:X=1", "env:X=1", file, "--rounds", "6", "--margin", "speed=5%"}, 3);
    EXPECT_EQ(seen["verdict"], "inconclusive");
    EXPECT_THAT(metric(seen, "sped")["reason"].get<std::string>(),
                HasSubstr("no round measured it; measured: process_wall_ns, speed"));
    EXPECT_EQ(metric(seen, "speed")["verdict"], "same");
}

TEST_F(TareCommand, direction_none_is_shown_and_never_judged) {
    const std::string file =
        scenario(line("5", "none"), "[metrics]\nspeed = { margin = \"5%\" }\n");
    const json seen = object({"ab", "env:X=1", "env:X=1", file, "--rounds", "6"}, 3);
    EXPECT_THAT(metric(seen, "speed")["reason"].get<std::string>(), HasSubstr("direction is none"));
}

TEST_F(TareCommand, what_cannot_be_compared_or_started_is_2_before_anything_runs) {
    const std::string file = scenario("true");
    const std::pair<std::vector<std::string>, const char*> words[] = {
        {{"ab", "build:x", "build:y", file}, "has no place for its program"},
        {{"run", file, "--engine", "/bin/true"}, "has no place for it"},
        {{"run", file, "--reps", "3"}, "use --rounds"},
        {{"ab", "env:TARE_RESULT_FILE=x", "env:X=1", file}, "which tare sets itself"},
        {{"ab", "env:X=1", "env:X=2", file, "--margin", "a b=2%"}, "a metric's name is"}};
    for (const auto& [line, said] : words) {
        const auto seen = tare_(line);
        EXPECT_EQ(seen.exit_code, 2) << testing::PrintToString(line) << seen.out;
        EXPECT_THAT(seen.err, HasSubstr(said));
    }
    fs::remove(tare_.folder().path() / "work/run.sh");
    const auto gone = tare_({"run", file});
    EXPECT_EQ(gone.exit_code, 2);
    EXPECT_THAT(gone.err, HasSubstr("not a program that can be run"));
}

TEST_F(TareCommand, runs_side_by_side_show_its_metrics) {
    const std::string file = scenario(line("5", "higher"));
    ASSERT_EQ(tare_({"run", file}).exit_code, 0);
    ASSERT_EQ(tare_({"run", file}).exit_code, 0);
    const auto seen = tare_({"compare", "1", "2"});
    EXPECT_THAT(seen.out, HasSubstr("process_wall_ns"));
    EXPECT_THAT(seen.out, HasSubstr("speed"));
}

}  // namespace

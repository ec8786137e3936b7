// SPDX-License-Identifier: Apache-2.0
// tare ab --resume: a comparison that was cut off anywhere comes to the verdict it would have come
// to, and to no other.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/fakes/full_disk.h"
#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

using Variables = std::vector<std::pair<std::string, std::string>>;

class TareResume : public testing::Test {
  protected:
    TareResume() {
        tare_.add_to_scenario("[metrics]\nprefill_wall_ns = { margin = \"2%\" }\n");
        write_times();
    }

    // Noise that no interval after 8 rounds bears with: more looks are needed.
    void write_times() {
        std::mt19937 random(20261207);
        std::string text;
        for (int i = 0; i < 400; ++i)
            text += std::to_string(980'000 + static_cast<int>(random() % 40'000)) + "\n";
        times_ = tare_.folder().write("times", text).string();
    }

    Variables env(Variables more = {}) const {
        more.insert(
            more.end(),
            {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}, {"FAKE_TIMES", times_}});
        return more;
    }

    // At the start `at` (two processes come before the rounds) tare gets `signal`. Trials of the
    // block of `trials` that is cut off take another time than when they run again.
    Variables stopped(int at, int signal, int trials = 4) const {
        std::istringstream times(fakes::text_of(times_));
        std::string text, line;
        for (int i = 1; std::getline(times, line); ++i)
            text += (i > 2 + before_block(at, trials) ? "1019000" : line) + "\n";
        return {{"FAKE_ENGINE_LOG", tare_.log()},
                {"FAKE_CAPTURE", "good"},
                {"FAKE_TIMES", tare_.folder().write("times-of-cut", text).string()},
                {"FAKE_STOP_START", std::to_string(at)},
                {"FAKE_STOP_SIGNAL", std::to_string(signal)}};
    }

    static int before_block(int at, int trials) { return (at - 3) / trials * trials; }

    std::vector<std::string> command(const std::string& profiled_rounds = "0") const {
        return {"ab",     "env:X=1", "env:X=2",           tare_.scenario,  "--engine", engine_,
                "--seed", "7",       "--profiled-rounds", profiled_rounds, "--format", "json"};
    }

    fakes::Result resume(const std::string& run,
                         const Variables& variables,
                         std::vector<std::string> more = {"--format", "json"}) const {
        more.insert(more.begin(), {"ab", "--resume", run});
        return tare_(more, variables);
    }

    fakes::Result resume(const std::string& run = "latest") const { return resume(run, env()); }

    // The next start stands where the first trial of a block of `trials` does that start `at` is
    // in: what was measured there is measured again, the same.
    void rewind(int at, int trials) const {
        std::istringstream log(fakes::text_of(tare_.log()));
        std::string kept, line;
        for (int left = before_block(at, trials); left > 0 && std::getline(log, line);) {
            if (line.find("trial=yes") == std::string::npos) continue;
            kept += line + "\n";
            --left;
        }
        std::ofstream(tare_.log()) << kept;
    }

    json listed() const {
        return json::parse(tare_({"list", "--format", "json"}).out, nullptr, false)["runs"][0];
    }

    json shown() const {
        return json::parse(tare_({"show", "--format", "json"}).out, nullptr, false);
    }

    // A run that was cut off by SIGINT at its eighth trial.
    std::string cut_off() const {
        const auto result = tare_(command(), stopped(10, SIGINT));
        EXPECT_EQ(result.exit_code, 130) << result.err;
        return result.err;
    }

    void expect_refused(const std::vector<std::string>& parts, const Variables& variables) const {
        const json before = shown();
        const auto result = resume("1", variables);
        EXPECT_EQ(result.exit_code, 2) << result.err;
        for (const std::string& part : parts) EXPECT_HAS(result.err, part);
        EXPECT_EQ(shown(), before);
    }

    fakes::Tare tare_;
    std::string engine_ = fakes::Tare::engine();
    std::string times_;
};

// What the rounds say, without what differs from run to run.
json findings(const std::string& text) {
    json object = json::parse(text, nullptr, false);
    object.erase("run");
    object["plan"].erase("void_trials");
    for (json& pair : object["pairs"])
        for (json& metric : pair["metrics"])
            if (metric["name"] != "prefill.wall_ns") metric = metric["name"];
    object["metrics"] = object["pairs"][0]["metrics"];
    return object;
}

struct Cut {
    int at;  // start, from 1; two come before the rounds
    int signal;
};

TEST_F(TareResume, verdict_is_that_of_a_run_that_was_never_cut_off) {
    const auto whole = tare_(command(), env());
    const json expected = findings(whole.out);
    ASSERT_GE(expected["metrics"][0]["n"].get<int>(), 12) << "one look is no test of looks";
    for (const Cut& cut : {Cut{3, SIGINT},
                           {4, SIGKILL},
                           {9, SIGTERM},
                           {18, SIGKILL},
                           {19, SIGINT},
                           {21, SIGKILL},
                           {26, SIGINT}}) {
        SCOPED_TRACE(fmt::format("signal {} at start {}", cut.signal, cut.at));
        fs::remove(tare_.log());
        tare_(command(), stopped(cut.at, cut.signal));
        EXPECT_EQ(listed()["status"], "interrupted");
        rewind(cut.at, 4);
        const auto result = resume();
        EXPECT_EQ(result.exit_code, whole.exit_code) << result.err;
        EXPECT_EQ(findings(result.out), expected);
        EXPECT_EQ(listed()["status"], "finished");
    }
}

TEST_F(TareResume, the_same_with_profiled_rounds_and_when_it_is_cut_off_again) {
    const auto whole = tare_(command("12"), env());
    const json expected = findings(whole.out);
    EXPECT_FALSE(expected["blame"].empty());
    fs::remove(tare_.log());
    tare_(command("12"), stopped(14, SIGKILL, 8));
    rewind(14, 8);
    EXPECT_EQ(resume("2", stopped(31, SIGINT, 8)).exit_code, 130);
    rewind(31, 8);
    EXPECT_EQ(resume("2", stopped(27, SIGKILL, 8)).signal, SIGKILL);
    rewind(27, 8);
    const auto result = resume("2");
    EXPECT_EQ(result.exit_code, whole.exit_code) << result.err;
    EXPECT_EQ(findings(result.out), expected);
    EXPECT_EQ(json::parse(result.out)["plan"]["void_trials"], 4 + 5 + 1);
    EXPECT_EQ(resume("2").exit_code, 2);
}

TEST_F(TareResume, a_look_that_decided_is_judged_by_its_own_rounds) {
    const json expected = findings(tare_(command("16"), env()).out);
    ASSERT_EQ(expected["metrics"][0]["n"], 12) << "before the last profiled rounds";
    fs::remove(tare_.log());
    tare_(command("16"), stopped(52, SIGKILL, 8));
    rewind(52, 8);
    const auto result = resume();
    EXPECT_EQ(findings(result.out), expected) << result.err;
    EXPECT_EQ(json::parse(result.out)["plan"]["void_trials"], 2);
}

TEST_F(TareResume, killed_at_random_moments_again_and_again_it_comes_to_its_end) {
    std::mt19937 random(20261207);
    auto argv = command("8");
    argv.insert(argv.begin(), fakes::Tare::binary());
    argv.insert(argv.end(), {"--store", tare_.store});
    const auto killed = [&](const std::vector<std::string>& words) {
        fakes::Started process(words, env(), (tare_.folder().path() / "out").string());
        usleep(static_cast<useconds_t>(random() % 250'000));
        kill(process.pid(), SIGKILL);
        process.wait_for_end(10);
    };
    int resumed = 0;
    for (int i = 0; i < 12; ++i) {
        const auto list = json::parse(tare_({"list", "--format", "json"}).out, nullptr, false);
        const bool is_cut_off = list.is_object() && !list["runs"].empty() &&
                                list["runs"][0]["status"] == "interrupted" &&
                                list["runs"][0]["arms"] == 2;
        resumed += is_cut_off;
        killed(is_cut_off ? std::vector<std::string>{fakes::Tare::binary(), "ab", "--resume",
                                                     "latest", "--store", tare_.store}
                          : argv);
    }
    EXPECT_GT(resumed, 2);
    if (listed()["status"] == "interrupted") {
        const auto result = resume();
        EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 3) << result.err;
    }
    const json seen = json::parse(tare_({"compare", "latest", "--format", "json"}).out);
    EXPECT_EQ(seen["plan"]["replaced_rounds"], 0) << "no blow is a failure of an arm";
    EXPECT_GE(seen["plan"]["rounds"], 8);
    EXPECT_EQ(seen["arms"][0]["failed_trials"], 0);
    EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
}

TEST_F(TareResume, void_trials_are_told_everywhere_and_count_nowhere) {
    EXPECT_HAS(cut_off(), "`tare ab --resume 1 --store " + tare_.store + "` goes on");
    EXPECT_EQ(listed()["void_trials"], 4);
    EXPECT_HAS(tare_({"compare", "1"}).out, "cut off: `tare ab --resume 1` goes on");
    EXPECT_HAS(tare_({"explain"}).out, "tare ab --resume 1");
    rewind(10, 4);
    ASSERT_NE(resume().exit_code, 2);
    const json run = listed(), show = shown();
    EXPECT_EQ(run["void_trials"], 4);
    EXPECT_EQ(run["valid_trials"].get<int>() + 4, run["trials"].get<int>());
    EXPECT_HAS(run["note"].get<std::string>(), "resumed 20");
    EXPECT_EQ(show["valid"], true) << show["reasons"];
    int voided = 0;
    for (const json& trial : show["trials"]) {
        EXPECT_EQ(trial["valid"], !trial["void"].get<bool>());
        if (!trial["void"].get<bool>()) continue;
        ++voided;
        EXPECT_TRUE(trial["round"] == 2 || trial["round"] == 3);
        EXPECT_HAS(trial["reason"].get<std::string>(), "rounds 2 and 3 were cut off");
    }
    EXPECT_EQ(voided, 4);
    EXPECT_HAS(tare_({"list"}).out, ", 4 void");
    EXPECT_HAS(tare_({"show"}).out, "  void ");
    EXPECT_HAS(tare_({"report"}).out, "2 void (cut off and run again)");
    EXPECT_HAS(tare_({"compare", "1"}).out, "4 trials void (cut off)");
    EXPECT_EQ(tare_({"explain"}).exit_code, 0);
    EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
    const json before = json::parse(tare_({"compare", "1", "--format", "json"}).out);
    EXPECT_EQ(tare_({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ(json::parse(tare_({"compare", "1", "--format", "json"}).out), before);
}

TEST_F(TareResume, nothing_of_the_plan_may_be_given_anew) {
    cut_off();
    const std::vector<std::vector<std::string>> wrong = {{"--rounds", "12"},
                                                         {"--profiled-rounds", "2"},
                                                         {"--budget", "1h"},
                                                         {"--seed", "8"},
                                                         {"--engine", engine_},
                                                         {"--engine-arg", "--x"},
                                                         {"--threads", "1"},
                                                         {"--reps", "2"},
                                                         {"--backend", "cpu"},
                                                         {"--scenarios", "/"},
                                                         {"--margin", "prefill_wall_ns=3%"}};
    for (const auto& option : wrong) {
        const auto result = resume("1", env(), option);
        EXPECT_EQ(result.exit_code, 2) << option[0];
        EXPECT_HAS(result.err, "--resume 1: " + option[0] + " is part of the plan");
    }
    const auto words = resume("1", env(), {tare_.scenario});
    EXPECT_EQ(words.exit_code, 2);
    EXPECT_HAS(words.err, "WORDS is part of the plan");
    const auto none = tare_({"ab"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_HAS(none.err, "WORDS is required");
    EXPECT_EQ(resume("1", env(), {"--top", "3", "--quiet"}).err, "");
}

TEST_F(TareResume, what_is_no_cut_off_comparison_is_2) {
    const auto no_store = resume("1");
    EXPECT_EQ(no_store.exit_code, 2);
    EXPECT_FALSE(fs::exists(tare_.store));
    tare_.run_fake("good");
    const auto of_run = resume("1");
    EXPECT_EQ(of_run.exit_code, 2);
    EXPECT_HAS(of_run.err, "kind 'run'");
    ASSERT_NE(tare_(command(), env()).exit_code, 2);
    const auto finished = resume("2");
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_HAS(finished.err, "run 2 is finished; nothing to resume");
    const auto missing = resume("9");
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_HAS(missing.err, "there is no run 9");
}

TEST_F(TareResume, a_run_without_all_its_arms_is_2) {
    cut_off();
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((tare_.store + "/tare.db").c_str(), &database), SQLITE_OK);
    for (const char* left : {"name = 'a'", "false"}) {
        const std::string statement =
            fmt::format("pragma foreign_keys = on; delete from arm where not ({})", left);
        ASSERT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        const auto result = resume("1");
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_HAS(result.err, "before all of its arms were stored");
    }
    sqlite3_close(database);
}

TEST_F(TareResume, a_comparison_that_failed_for_an_arm_is_over) {
    auto failing = command();
    failing[2] = "env:FAKE_CAPTURE=truncated";
    failing[9] = "8";
    EXPECT_EQ(tare_(failing, env()).exit_code, 4);
    const auto result = resume("1");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "arm b: 2 of its trials failed");
    EXPECT_HAS(result.err, "nothing to resume");
}

TEST_F(TareResume, what_was_changed_meanwhile_is_named_with_both_values) {
    engine_ = (tare_.folder().path() / "engine").string();
    fs::copy(fakes::Tare::engine(), engine_);
    cut_off();
    tare_.set("reps", "2");  // is not there: no change
    const std::string scenario = fakes::text_of(tare_.scenario);

    tare_.set("time_limit_s", "21");
    expect_refused({"the scenario's time_limit_s", "20.0 then, 21.0 now"}, env());
    std::ofstream(tare_.scenario) << scenario;

    tare_.folder().write("p.json", "[1, 2, 4]");
    expect_refused({"the scenario's prompt", "then", "now"}, env());
    tare_.folder().write("p.json", "[1, 2, 3]");

    auto other = env({{"OMP_NUM_THREADS", "3"}});
    expect_refused({"in the environment, OMP_NUM_THREADS", "none then, \"3\" now"}, other);

    const auto elsewhere =
        fakes::run({fakes::Tare::binary(), "ab", "--resume", "1", "--store", tare_.store},
                   {.env = env(), .directory = "/"});
    EXPECT_EQ(elsewhere.exit_code, 2);
    EXPECT_HAS(elsewhere.err, "the working directory");
    EXPECT_HAS(elsewhere.err, "/ now");

    std::ofstream(engine_, std::ios::app) << "x";
    expect_refused({"arm a's program " + engine_ + " (sha256)", "then", "now"}, env());
    fs::remove(engine_);
    expect_refused({"no such file now"}, env());
    fs::copy(fakes::Tare::engine(), engine_);

    expect_refused({"the model that arm a reads (sha256)", "ab then, cd now"},
                   env({{"FAKE_MODEL_SHA256", "cd"}}));
    const auto broken = resume("1", env({{"FAKE_ENGINE", "exit3"}}));
    EXPECT_EQ(broken.exit_code, 4);
    EXPECT_HAS(broken.err, "arm a was measured, and cannot be started");
    EXPECT_EQ(listed()["status"], "interrupted");

    EXPECT_NE(resume("1").exit_code, 2) << "put back, it goes on";
    EXPECT_EQ(listed()["status"], "finished");
}

TEST_F(TareResume, of_two_processes_that_resume_at_once_one_is_refused) {
    cut_off();
    const std::vector<std::string> argv = {
        fakes::Tare::binary(), "ab", "--resume", "1", "--store", tare_.store};
    const std::string outputs[] = {(tare_.folder().path() / "one").string(),
                                   (tare_.folder().path() / "two").string()};
    std::vector<int> codes;
    {
        fakes::Started one(argv, env(), outputs[0]), two(argv, env(), outputs[1]);
        for (fakes::Started* process : {&one, &two})
            codes.push_back(WEXITSTATUS(process->wait_for_end(60)));
    }
    const std::string said = fakes::text_of(outputs[0]) + fakes::text_of(outputs[1]);
    EXPECT_EQ(std::count(codes.begin(), codes.end(), 2), 1) << said;
    EXPECT_HAS(said, "run 1");
    EXPECT_TRUE(said.find("going on in another process") != std::string::npos ||
                said.find("is finished; nothing to resume") != std::string::npos)
        << said;
    EXPECT_EQ(listed()["status"], "finished");
}

TEST_F(TareResume, a_run_that_goes_on_is_not_resumed) {
    fakes::Started process(
        [&] {
            auto argv = command();
            argv.insert(argv.begin(), fakes::Tare::binary());
            argv.insert(argv.end(), {"--store", tare_.store});
            return argv;
        }(),
        env({{"FAKE_ENGINE", "slow"}}), (tare_.folder().path() / "out").string());
    for (int i = 0; i < 1000 && tare_({"list"}).out.find("running") == std::string::npos; ++i)
        usleep(20'000);
    const auto result = resume("1");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "run 1 is going on in another process");
}

TEST_F(TareResume, arms_and_a_prompt_of_the_scenario_are_those_again) {
    tare_.set("file", "\"p.json\"");
    std::string text = fakes::text_of(tare_.scenario);
    text.replace(text.find("file = \"p.json\""), 15, "seed = 3\ncount = 9");
    std::ofstream(tare_.scenario) << text
                                  << "[arms.old]\nargs = []\n[arms.new]\nenv = { X = \"2\" }\n";
    auto words = command();
    words.erase(words.begin() + 1, words.begin() + 3);
    EXPECT_EQ(tare_(words, stopped(8, SIGKILL)).signal, SIGKILL);
    rewind(8, 4);
    const auto result = resume();
    const json seen = json::parse(result.out, nullptr, false);
    ASSERT_TRUE(seen.is_object()) << result.err;
    EXPECT_EQ(seen["pairs"][0]["a"], "old");
    EXPECT_EQ(seen["plan"]["void_trials"], 2);
}

TEST_F(TareResume, after_a_full_disk_it_goes_on) {
    if (!fakes::preload_works) GTEST_SKIP() << "a library cannot be preloaded here";
    const fakes::FullDisk roomy(tare_.store, std::int64_t{1} << 50);
    const auto on = [&](const fakes::FullDisk& disk) {
        Variables out = env();
        for (const auto& variable : disk.env()) out.push_back(variable);
        return out;
    };
    const json expected = findings(tare_(command(), on(roomy)).out);
    int told = 0;
    for (const int tenths : {5, 6, 7, 8}) {
        SCOPED_TRACE(tenths);
        fs::remove_all(tare_.store);
        fs::remove(tare_.log());
        const fakes::FullDisk disk(tare_.store, roomy.wanted() * tenths / 10);
        const auto full = tare_(command(), on(disk));
        if (full.exit_code != 4 || full.err.find("--resume") == std::string::npos) continue;
        ++told;
        EXPECT_HAS(full.err, "once this is mended, `tare ab --resume 1` goes on");
        const int last = static_cast<int>(shown()["trials"].size()) + 2;
        rewind(last, 4);
        const auto result = resume("1", on(roomy));
        ASSERT_NE(result.out, "") << result.err;
        EXPECT_EQ(findings(result.out)["metrics"][0]["verdict"], expected["metrics"][0]["verdict"]);
        EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
    }
    EXPECT_GT(told, 0);
}

}  // namespace

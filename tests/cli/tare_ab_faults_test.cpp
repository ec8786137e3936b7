// SPDX-License-Identifier: Apache-2.0
// Everything that can go wrong under tare ab: each is told with what and whose, the store stays
// whole, nothing is left running.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/fakes/full_disk.h"
#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"
#include "tests/scenarios/build/sample_repository.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

using Variables = std::vector<std::pair<std::string, std::string>>;

// From a start on: the two processes before the rounds are good.
constexpr const char* in_the_rounds = "+env:FAKE_ENGINE_FROM=3";

class AbFaults {
  public:
    AbFaults() { tare_.add_to_scenario("[metrics]\nprefill_wall_ns = { margin = \"2%\" }\n"); }

    std::vector<std::string> command(const std::string& a, const std::string& b) const {
        return {"ab",     a,   b,         tare_.scenario,      "--engine", fakes::Tare::engine(),
                "--seed", "7", "--quiet", "--profiled-rounds", "0"};
    }

    Variables env(Variables more = {}) const {
        more.insert(more.end(), {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}});
        return more;
    }

    fakes::Result ab(const std::string& a,
                     const std::string& b,
                     const Variables& more = {},
                     const std::vector<std::string>& options = {"--format", "json"}) const {
        auto words = command(a, b);
        words.insert(words.end(), options.begin(), options.end());
        return tare_(words, env(more));
    }

    void expect_whole_store() const {
        EXPECT_EQ(fakes::processes_of(fakes::Tare::engine(), tare_.folder().path().string()), 0);
        const auto check = tare_({"store", "check"});
        EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
        EXPECT_HAS(check.out, "0 unreadable, 0 damages");
    }

    json last_run() const {
        return json::parse(tare_({"list", "--format", "json"}).out, nullptr, false)["runs"][0];
    }

    const fakes::Tare& tare() const { return tare_; }

  private:
    fakes::Tare tare_;
};

class TareAbFaults : public testing::Test, protected AbFaults {};

// How an arm's engine breaks in every round, and what has to be said of it.
struct Breakage {
    const char* how;
    const char* reason;
};

class TareAbBrokenEngine : public testing::TestWithParam<Breakage>, protected AbFaults {};

TEST_P(TareAbBrokenEngine, is_named_after_its_second_failure_with_its_reason) {
    tare().set("time_limit_s", "1");
    const auto result =
        ab("env:X=1", std::string("env:FAKE_ENGINE=") + GetParam().how + in_the_rounds);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_EQ(seen["verdict"], "invalid");
    const std::string reason = seen["reasons"][0];
    EXPECT_HAS(reason, "arm b: 2 of its trials failed and none of the other arms");
    EXPECT_HAS(reason, GetParam().reason);
    EXPECT_EQ(seen["arms"][0]["failed_trials"], 0);
    EXPECT_EQ(seen["arms"][1]["failed_trials"], 2);
    EXPECT_HAS(seen["arms"][1]["first_failures"][0].get<std::string>(), GetParam().reason);
    EXPECT_EQ(last_run()["status"], "failed");
    EXPECT_HAS(last_run()["note"].get<std::string>(), "arm b: 2 of its trials failed");
    expect_whole_store();
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         TareAbBrokenEngine,
                         testing::Values(Breakage{"crash", "ended by signal 11"},
                                         Breakage{"exit3", "exit code 3; its last words: fake"},
                                         Breakage{"hang", "still running after 1 s"},
                                         Breakage{"close-stdout", "still running after 1 s"},
                                         Breakage{"silent", "no \"end\" line after 0 lines"},
                                         Breakage{"no-end", "no \"end\" line"},
                                         Breakage{"garbage", "not JSON"},
                                         Breakage{"unknown-protocol", "protocol 99"}),
                         [](const auto& param_info) {
                             std::string name = param_info.param.how;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

class TareAbDeadEngine : public testing::TestWithParam<Breakage>, protected AbFaults {};

TEST_P(TareAbDeadEngine, takes_part_in_no_round) {
    tare().set("time_limit_s", "1");
    const auto result = ab("env:X=1", std::string("env:FAKE_ENGINE=") + GetParam().how);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "arm b cannot be measured");
    EXPECT_HAS(seen["arms"][1]["invalid"].get<std::string>(), GetParam().reason);
    EXPECT_EQ(seen["arms"][0]["timed_trials"], 0);
    expect_whole_store();
}

INSTANTIATE_TEST_SUITE_P(Engines,
                         TareAbDeadEngine,
                         testing::Values(Breakage{"crash", "ended by signal 11"},
                                         Breakage{"hang", "still running after 1 s"},
                                         Breakage{"silent", "no hello line"}),
                         [](const auto& param_info) { return param_info.param.how; });

TEST_F(TareAbFaults,
       more_than_a_fifth_of_rounds_replaced_is_invalid_and_names_every_arm_that_failed) {
    const std::string crash = std::string("env:FAKE_ENGINE=crash") + in_the_rounds;
    const auto result = ab(crash, crash);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_EQ(seen["verdict"], "invalid");
    EXPECT_EQ(seen["plan"]["replaced_rounds"], 6);
    const std::string reason = seen["reasons"][0];
    EXPECT_HAS(reason, "6 rounds had to be replaced, more than 20 % of the 24 planned");
    EXPECT_HAS(reason, "; arm a: 6 of its trials failed: ended by signal 11");
    EXPECT_HAS(reason, "; arm b: 6 of its trials failed: ended by signal 11");
    EXPECT_EQ(last_run()["trials"], 12) << "it stops there";
    expect_whole_store();
}

TEST_F(TareAbFaults, disk_that_is_full_at_any_time_is_told_and_loses_no_round) {
    if (!fakes::preload_works) GTEST_SKIP() << "a library cannot be preloaded here";
    const fakes::FullDisk roomy(tare().store, std::int64_t{1} << 50);
    ASSERT_EQ(ab("env:X=1", "env:X=1", roomy.env()).exit_code, 0);
    int told = 0;
    for (int eighths = 1; eighths < 8; ++eighths) {
        SCOPED_TRACE(eighths);
        std::filesystem::remove_all(tare().store);
        const fakes::FullDisk disk(tare().store, roomy.wanted() * eighths / 8);
        const auto result = ab("env:X=1", "env:X=1", disk.env());
        if (result.exit_code == 0) continue;  // what is in the log can wait for space
        ++told;
        EXPECT_TRUE(result.exit_code == 4 || result.exit_code == 2) << result.exit_code;
        EXPECT_TRUE(result.err.find("No space left") != std::string::npos ||
                    result.err.find("no space is left") != std::string::npos)
            << result.err;
        EXPECT_HAS(result.err, tare().store);
        if (!std::filesystem::exists(tare().store + "/tare.db")) continue;
        expect_whole_store();
        if (tare()({"list"}).out.find("tiny") == std::string::npos) continue;
        EXPECT_NE(last_run()["status"], "finished");
    }
    EXPECT_GT(told, 3);
    EXPECT_EQ(ab("env:X=1", "env:X=1").exit_code, 0) << "with space again";
}

// The store's write lock, held by this process.
class Lock {
  public:
    explicit Lock(const std::string& store) {
        sqlite3_open((store + "/tare.db").c_str(), &database_);
        sqlite3_busy_timeout(database_, 5'000);
        EXPECT_EQ(sqlite3_exec(database_, "begin immediate", nullptr, nullptr, nullptr), SQLITE_OK);
    }

    ~Lock() { sqlite3_close(database_); }

    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    sqlite3* database_ = nullptr;
};

class TareAbStarted : public TareAbFaults {
  protected:
    std::vector<std::string> started_command() const {
        auto words = command("env:X=1", "env:X=1");
        words.insert(words.begin(), fakes::Tare::binary());
        words.insert(words.end(), {"--store", tare().store});
        return words;
    }

    std::string output() const { return (tare().folder().path() / "output").string(); }

    void wait_for_trials(int trials) const {
        for (int i = 0; i < 1'000; ++i, usleep(10'000)) {
            const json listed =
                json::parse(tare()({"list", "--format", "json"}).out, nullptr, false);
            if (listed.is_object() && !listed["runs"].empty() &&
                listed["runs"][0]["trials"].get<int>() >= trials)
                return;
        }
        ADD_FAILURE() << "no trials: " << fakes::text_of(output());
    }
};

TEST_F(TareAbStarted, store_that_another_writer_holds_ends_it_and_it_goes_on_when_resumed) {
    fakes::Started process(started_command(),
                           env({{"FAKE_ENGINE", "slow"}, {"TARE_STORE_WAIT", "1.5"}}), output());
    wait_for_trials(2);
    {
        const Lock lock(tare().store);
        const int status = process.wait_for_end(30);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 4) << fakes::text_of(output());
        const std::string said = fakes::text_of(output());
        EXPECT_HAS(said, "another process is writing to the store; waiting for it, at most 1.5 s");
        EXPECT_HAS(said, "did not end in time");
    }
    EXPECT_EQ(last_run()["status"], "interrupted");
    expect_whole_store();
    const auto resumed = tare()({"ab", "--resume", "1", "--quiet"}, env());
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err << resumed.out;
    EXPECT_EQ(last_run()["status"], "finished");
}

TEST_F(TareAbStarted, store_that_is_held_for_a_moment_is_waited_for) {
    fakes::Started process(started_command(), env({{"FAKE_ENGINE", "slow"}}), output());
    wait_for_trials(1);
    {
        const Lock lock(tare().store);
        usleep(1'500'000);
    }
    wait_for_trials(3);
    kill(process.pid(), SIGINT);
    const int status = process.wait_for_end(20);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << fakes::text_of(output());
    EXPECT_EQ(last_run()["valid_trials"].get<int>(), 0) << "their block was cut off";
    EXPECT_GE(last_run()["void_trials"].get<int>(), 3);
}

TEST_F(TareAbStarted, interrupt_ends_the_wait_for_another_writer) {
    ASSERT_EQ(tare().run_fake("good").exit_code, 0);
    const Lock lock(tare().store);
    fakes::Started process(started_command(), env(), output());
    for (int i = 0; i < 400; ++i, usleep(10'000))
        if (fakes::text_of(output()).find("waiting for it") != std::string::npos) break;
    kill(process.pid(), SIGINT);
    const int status = process.wait_for_end(10);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << fakes::text_of(output());
}

// A repository whose build copies a script that becomes the fake engine.
class TareAbRefs : public TareAbFaults {
  protected:
    TareAbRefs() {
        repository_.write("tare.toml",
                          "[build]\ncommand = \"cp engine.sh engine && chmod +x engine\"\n"
                          "artefact = \"engine\"\n");
        repository_.write(".gitignore", ".tare/\n");
        repository_.write("engine.sh", script("first"));
        repository_.commit("first");
        repository_.write("engine.sh", script("second"));
        head_ = repository_.commit("second");
    }

    static std::string script(const std::string& what) {
        return fmt::format("#!/bin/sh\n# {}\nexec {} \"$@\"\n", what, fakes::Tare::engine());
    }

    fakes::Result in_repository(const std::vector<std::string>& words,
                                const Variables& more = {}) const {
        std::vector<std::string> argv = {fakes::Tare::binary(), "ab"};
        argv.insert(argv.end(), words.begin(), words.end());
        argv.insert(argv.end(),
                    {tare().scenario, "--engine", fakes::Tare::engine(), "--store", tare().store,
                     "--profiled-rounds", "0", "--rounds", "6", "--format", "json"});
        return fakes::run(argv, {.env = env(more), .directory = repository_.top().string()});
    }

    std::string program_of(const std::string& arm) const {
        const json shown = json::parse(tare()({"show", "--format", "json"}).out, nullptr, false);
        for (const json& one : shown["arms"])
            if (one["name"] == arm) return one["command"][0];
        return "";
    }

    tests::SampleRepository repository_;
    std::string head_;
};

TEST_F(TareAbRefs, head_of_a_dirty_tree_is_the_commit_and_says_so) {
    repository_.write("engine.sh", script("not committed"));
    const auto result = in_repository({"HEAD~1", "HEAD"});
    EXPECT_NE(result.exit_code, 2) << result.err;
    EXPECT_HAS(result.err,
               "arm b (HEAD) is the commit " + head_.substr(0, 12) +
                   "; changes of the working tree that are not committed are not in it");
    const std::string built = fakes::text_of(program_of("b"));
    EXPECT_HAS(built, "# second");
    EXPECT_LACKS(built, "not committed");
    EXPECT_HAS(fakes::text_of(repository_.top() / "engine.sh"), "not committed")
        << "left as it was";
}

TEST_F(TareAbRefs, head_of_a_clean_tree_is_the_build_at_hand_when_that_is_of_this_commit) {
    const auto reused = in_repository({"HEAD~1", "HEAD"}, {{"FAKE_COMMIT", head_}});
    EXPECT_LACKS(reused.err, "are not in it");
    EXPECT_EQ(program_of("b"), fakes::Tare::engine());
    EXPECT_NE(program_of("a"), fakes::Tare::engine());
    in_repository({"HEAD~1", "HEAD"}, {{"FAKE_COMMIT", head_}, {"FAKE_DIRTY", "abc"}});
    EXPECT_NE(program_of("b"), fakes::Tare::engine()) << "of this commit, and changed";
}

TEST_F(TareAbRefs, ref_that_is_not_there_is_2_with_those_that_are_and_stores_nothing) {
    const auto result = in_repository({"HEAD", "mian"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_HAS(result.err, "\"mian\" names no commit");
    EXPECT_HAS(result.err, "main");
    EXPECT_LACKS(result.err, "building commit");
    EXPECT_HAS(tare()({"list"}).out + tare()({"list"}).err, "run");
    EXPECT_LACKS(tare()({"list"}).out, "tiny");
}

TEST_F(TareAbRefs, ref_that_does_not_build_is_an_invalid_arm_with_the_place_of_its_log) {
    repository_.git("rm -q engine.sh");
    repository_.commit("broken");
    const auto result = in_repository({"HEAD~1", "HEAD"});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_EQ(seen["arms"][0]["invalid"], nullptr);
    const std::string why = seen["arms"][1]["invalid"];
    EXPECT_HAS(why, "does not build");
    EXPECT_HAS(why, "build.log");
    EXPECT_EQ(seen["arms"][0]["timed_trials"], 0);
    const auto resumed =
        fakes::run({fakes::Tare::binary(), "ab", "--resume", "1", "--store", tare().store},
                   {.env = env(), .directory = repository_.top().string()});
    EXPECT_EQ(resumed.exit_code, 2);
    EXPECT_HAS(resumed.err, "fewer than two arms can be measured");
}

TEST_F(TareAbRefs, refs_that_moved_meanwhile_do_not_move_the_arms_of_a_resumed_run) {
    const auto cut =
        in_repository({"HEAD~1", "HEAD"}, {{"FAKE_STOP_START", "8"}, {"FAKE_STOP_SIGNAL", "2"}});
    EXPECT_EQ(cut.exit_code, 130) << cut.err;
    const std::string before = program_of("b");
    repository_.write("engine.sh", script("third"));
    repository_.commit("third");
    const auto resumed = fakes::run(
        {fakes::Tare::binary(), "ab", "--resume", "1", "--store", tare().store, "--format", "json"},
        {.env = env(), .directory = repository_.top().string()});
    EXPECT_NE(resumed.exit_code, 2) << resumed.err;
    EXPECT_EQ(program_of("b"), before);
    EXPECT_EQ(json::parse(resumed.out, nullptr, false)["plan"]["rounds"], 6);
}

TEST_F(TareAbFaults, an_older_engine_that_lacks_a_flag_of_the_scenario_is_an_invalid_arm) {
    const auto older = tare().folder().write(
        "older/tare-engine",
        fmt::format("#!/bin/sh\nfor a; do [ \"$a\" = --backend ] && {{ echo \"unknown option "
                    "$a\" >&2; exit 2; }}; done\nexec {} \"$@\"\n",
                    fakes::Tare::engine()));
    std::filesystem::permissions(older, std::filesystem::perms::owner_all);
    std::filesystem::copy(older, older.parent_path() / "fake-engine");
    const auto result = ab("build:" + older.parent_path().string(), "env:X=1");
    EXPECT_EQ(result.exit_code, 4) << result.err;
    const json seen = json::parse(result.out, nullptr, false);
    EXPECT_HAS(seen["arms"][0]["invalid"].get<std::string>(), "unknown option --backend");
    EXPECT_HAS(seen["reasons"][0].get<std::string>(), "arm a cannot be measured");
}

}  // namespace

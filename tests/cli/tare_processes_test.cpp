// SPDX-License-Identifier: Apache-2.0
// Engines that misbehave in every way a process can: each trial is invalid with words, memory and
// time stay bounded, nothing is left running.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

json shown(const fakes::Tare& tare) {
    return json::parse(tare({"show", "--format", "json"}).out);
}

// How an engine misbehaves, what has to be said, and the most seconds the run may take.
struct Misbehaviour {
    const char* how;
    const char* reason;
    double most_s = 10;
};

class TareHostileEngine : public testing::TestWithParam<Misbehaviour> {};

TEST_P(TareHostileEngine, is_told_in_words_and_leaves_nothing_running) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    tare.set("time_limit_s", "2");
    const auto start = std::chrono::steady_clock::now();
    const auto result = tare.run_fake(GetParam().how);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
    EXPECT_LT(took.count(), GetParam().most_s);
    const json run = shown(tare);
    ASSERT_EQ(run["trials"].size(), 1u);
    EXPECT_EQ(run["trials"][0]["valid"], false);
    EXPECT_HAS(run["trials"][0]["reason"].get<std::string>(), GetParam().reason);
    // What goes to a terminal moves no cursor.
    for (const std::string& text : {result.out, result.err})
        for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    EXPECT_EQ(fakes::processes_of(fakes::Tare::engine(), tare.folder().path().string()), 0);
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Engines,
    TareHostileEngine,
    testing::Values(Misbehaviour{"hang", "still running after 2 s"},
                    Misbehaviour{"close-stdout", "still running after 2 s"},
                    Misbehaviour{"silent", "no \"end\" line after 0 lines"},
                    Misbehaviour{"binary", "not JSON"},
                    Misbehaviour{"long-line", "printed more than 64 MiB", 20},
                    Misbehaviour{"flood-lines", "printed more than 64 MiB", 60},
                    Misbehaviour{"deep", "engine line 2"},
                    Misbehaviour{"garbage", "engine line 2: not JSON"},
                    Misbehaviour{"huge-numbers", "engine line"},
                    Misbehaviour{"wrong-types", "engine line"},
                    Misbehaviour{"null-loss", "field 'nll_sum' is missing"},
                    Misbehaviour{"unknown-protocol", "protocol 99 is unknown"}),
    [](const auto& param_info) {
        std::string name = param_info.param.how;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(TareProcesses, child_that_keeps_the_pipe_open_is_killed_with_its_group) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    const auto result = tare.run_fake("child-holds-pipe");
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(fakes::processes_of(fakes::Tare::engine(), tare.folder().path().string()), 0);
}

TEST(TareProcesses, stderr_of_100_mebibytes_leaves_its_last_words) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    const auto result = tare.run_fake("stderr-flood");
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tare.store + "/raw/1"))
        bytes += entry.file_size();
    EXPECT_LT(bytes, 100'000u);
}

// The flood of lines is the largest of them: 64 MiB of problems.
TEST(TareProcesses, memory_of_the_suite_stays_bounded) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const auto result =
        fakes::run({"/bin/sh", "-c", "ulimit -v 1500000; exec \"$@\"", "sh", fakes::Tare::binary(),
                    "run", tare.scenario, "--engine", fakes::Tare::engine(), "--store", tare.store},
                   {.env = {{"FAKE_ENGINE", "flood-lines"}}});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_HAS(result.err, "64 MiB");
}

TEST(TareProcesses, engine_that_cannot_be_run_is_2_before_anything_is_stored) {
    const fakes::Tare tare;
    const auto not_executable = tare.folder().write("engine", "#!/bin/sh\n").string();
    for (const std::string& engine :
         {std::string("/none/such"), tare.folder().path().string(), not_executable}) {
        const auto result = tare({"run", tare.scenario, "--engine", engine});
        EXPECT_EQ(result.exit_code, 2) << engine;
        EXPECT_HAS(result.err, engine);
        EXPECT_FALSE(std::filesystem::exists(tare.store));
    }
}

TEST(TareProcesses, engine_whose_interpreter_is_not_there_is_told_so) {
    const fakes::Tare tare;
    const auto script = tare.folder().write("engine", "#!/none/such/interpreter\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const auto result = tare({"run", tare.scenario, "--engine", script.string()});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_HAS(result.err, "could not be started: No such file");
}

TEST(TareProcesses, stderr_that_is_full_or_closed_ends_no_run) {
    const fakes::Tare tare;
    for (const char* redirection : {"2>/dev/full", "2>&-"}) {
        const auto result = fakes::run({"/bin/sh", "-c", std::string("exec \"$@\" ") + redirection,
                                        "sh", fakes::Tare::binary(), "run", tare.scenario,
                                        "--engine", fakes::Tare::engine(), "--store", tare.store});
        EXPECT_EQ(result.exit_code, 0) << redirection;
    }
}

// What a profiled trial finds instead of its capture.
struct Capture {
    const char* how;
    const char* reason;
};

class TareHostileCapture : public testing::TestWithParam<Capture> {};

TEST_P(TareHostileCapture, makes_its_trial_invalid_with_words) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    const auto result =
        tare.run_fake("good", {"--profiled-rounds", "1"}, {{"FAKE_CAPTURE", GetParam().how}});
    EXPECT_EQ(result.exit_code, 4) << result.err << result.out;
    for (const json& trial : shown(tare)["trials"]) {
        EXPECT_EQ(trial["valid"], trial["mode"] == "timed") << trial;
        if (trial["mode"] == "profiled") {
            EXPECT_HAS(trial["reason"].get<std::string>(), GetParam().reason);
        }
    }
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Captures,
                         TareHostileCapture,
                         testing::Values(Capture{"none", "there is no capture"},
                                         Capture{"empty", "no closing block"},
                                         Capture{"foreign", "not a capture"},
                                         Capture{"other-process", "captures of other processes"},
                                         Capture{"other-time", "capture of another process"},
                                         Capture{"pipe", "there is no capture"},
                                         Capture{"truncated", "loss"},
                                         Capture{"corrupt", "loss"}),
                         [](const auto& param_info) {
                             std::string name = param_info.param.how;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(TareCaptures, of_a_child_beside_the_engines_own_are_kept_and_do_not_count) {
    const fakes::Tare tare;
    tare.set("rounds", "1");
    const auto result =
        tare.run_fake("good", {"--profiled-rounds", "1"}, {{"FAKE_CAPTURE", "two"}});
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
}

TEST(TareCaptures, probe_that_cannot_be_loaded_is_told_by_the_missing_capture) {
    const fakes::Tare tare;
    const auto bin = tare.folder().path() / "install/bin",
               lib = tare.folder().path() / "install/lib";
    std::filesystem::create_directories(bin);
    std::filesystem::create_directories(lib);
    std::filesystem::copy(fakes::Tare::binary(), bin / "tare");
    const std::vector<std::string> command = {(bin / "tare").string(),
                                              "run",
                                              tare.scenario,
                                              "--engine",
                                              TARE_BUILD_DIR "/bin/tare-engine",
                                              "--store",
                                              tare.store,
                                              "--profiled-rounds",
                                              "1"};
    const auto missing = fakes::run(command);
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_HAS(missing.err, "libtare-probe.so: not there");
    EXPECT_FALSE(std::filesystem::exists(tare.store));
    std::ofstream(lib / "libtare-probe.so") << "no library";
    const auto broken = fakes::run(command);
    EXPECT_EQ(broken.exit_code, 2) << broken.err;
    EXPECT_HAS(broken.err, "cannot be loaded");
    EXPECT_FALSE(std::filesystem::exists(tare.store));
}

}  // namespace

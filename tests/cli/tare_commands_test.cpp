// SPDX-License-Identifier: Apache-2.0
// Every subcommand but run: what it prints, and how it refuses.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

fakes::Result plain(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), fakes::Tare::binary());
    return fakes::run(arguments);
}

TEST(TareUsage, unknown_subcommand_lists_the_known_ones) {
    const auto result = plain({"reprot"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "unknown subcommand 'reprot'");
    EXPECT_HAS(result.err, "Nearest known: 'report'");
    EXPECT_HAS(result.err,
               "run, ab, gate, calibrate, explain, build, report, list, show, compare, export, "
               "stats, prune, store, "
               "doctor");
    for (const char* later : {"profile", "load", "checks"})
        EXPECT_EQ(plain({later}).exit_code, 2) << later;
}

TEST(TareUsage, every_usage_error_is_2) {
    EXPECT_EQ(plain({}).exit_code, 2);
    EXPECT_EQ(plain({"run"}).exit_code, 2);
    EXPECT_EQ(plain({"run", "prefill-4k", "--no-such-option"}).exit_code, 2);
    EXPECT_EQ(plain({"run", "prefill-4k", "--rounds", "x"}).exit_code, 2);
    EXPECT_EQ(plain({"run", "prefill-4k", "--rounds", "-1"}).exit_code, 2);
    EXPECT_EQ(plain({"run", "prefill-4k", "--format", "xml"}).exit_code, 2);
    EXPECT_EQ(plain({"report", "1", "2"}).exit_code, 2);
    EXPECT_EQ(plain({"store"}).exit_code, 2);
    EXPECT_EQ(plain({"compare", "1"}).exit_code, 2);
    EXPECT_EQ(plain({"prune"}).exit_code, 2);
}

TEST(TareUsage, every_help_has_examples_and_is_0) {
    EXPECT_HAS(plain({"--help"}).out, "Examples:");
    for (const char* command : {"run", "calibrate", "report", "list", "show", "compare", "export",
                                "prune", "store", "doctor"}) {
        const auto result = plain({command, "--help"});
        EXPECT_EQ(result.exit_code, 0) << command;
        EXPECT_HAS(result.out, "Examples:");
        EXPECT_HAS(result.out, std::string("tare ") + command);
    }
}

TEST(TareUsage, version_carries_release_commit_and_compiler) {
    const auto result = plain({"--version"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out.find("tare 0."), 0u) << result.out;
    EXPECT_HAS(result.out, "commit: ");
    EXPECT_HAS(result.out, "compiler: ");
}

TEST(TareUsage, cuda_backend_is_refused_and_never_replaced) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good", {"--backend", "cuda"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "no CUDA backend");
    EXPECT_FALSE(std::filesystem::exists(tare.store));
}

TEST(TareUsage, scenario_error_is_2_with_its_place) {
    const fakes::Tare tare;
    tare.folder().write("tiny.toml", "name = \"tiny\"\nworkload = 5\n");
    const auto result = tare.run_fake("good");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "tiny.toml:2:12: ");
}

TEST(TareUsage, unknown_scenario_is_2_and_names_the_nearest) {
    const fakes::Tare tare;
    const auto result = tare({"run", "prefil-4k", "--scenarios", TARE_SOURCE_DIR "/scenarios"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "Nearest known: 'prefill-4k'");
}

TEST(TareUsage, engine_that_is_no_program_is_2) {
    const fakes::Tare tare;
    const auto result = tare({"run", tare.scenario, "--engine", tare.scenario});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "not a program that can be run");
}

TEST(TareUsage, places_that_cannot_be_written_are_2_before_anything_runs) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good", {"--out", "/none/such/report.txt"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_HAS(result.err, "/none/such/report.txt");
    EXPECT_FALSE(std::filesystem::exists(tare.store));
    EXPECT_EQ(plain({"run", tare.scenario, "--profiled-rounds", "0", "--engine",
                     fakes::Tare::engine(), "--store", "/proc/none"})
                  .exit_code,
              2);
    EXPECT_FALSE(std::filesystem::exists(tare.log()));
}

TEST(TareUsage, one_object_cannot_hold_two_scenarios) {
    const fakes::Tare tare;
    const auto result = tare.run_fake("good", {tare.scenario, "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
}

TEST(TareStore, that_is_not_there_is_2_and_is_not_made) {
    const fakes::Tare tare;
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"report"},
                                               {"list"},
                                               {"show"},
                                               {"compare", "1", "2"},
                                               {"prune", "--keep", "1"},
                                               {"store", "rebuild"},
                                               {"store", "check"}}) {
        const auto result = tare(command);
        EXPECT_EQ(result.exit_code, 2) << command[0];
        EXPECT_HAS(result.err, "no store here yet");
        EXPECT_FALSE(std::filesystem::exists(tare.store)) << command[0];
    }
}

TEST(TareStore, path_is_printed_without_making_it) {
    const fakes::Tare tare;
    const auto result = tare({"store", "path"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, tare.store + "\n");
    EXPECT_FALSE(std::filesystem::exists(tare.store));
}

TEST(TareStore, run_that_is_not_there_is_2) {
    const fakes::Tare tare;
    tare.run_fake("good");
    EXPECT_EQ(tare({"report", "77"}).exit_code, 2);
    EXPECT_EQ(tare({"show", "x"}).exit_code, 2);
    EXPECT_EQ(tare({"compare", "1", "77"}).exit_code, 2);
}

TEST(TareList, has_one_row_per_run_in_every_format) {
    const fakes::Tare tare;
    tare.run_fake("good");
    tare.run_fake("good");
    EXPECT_EQ(json::parse(tare({"list", "--format", "json"}).out)["runs"].size(), 2u);
    EXPECT_HAS(tare({"list"}).out, "2 of 2");
    EXPECT_HAS(tare({"list", "--format", "markdown"}).out, "| run |");
    EXPECT_HAS(tare({"list", "--format", "csv"}).out, "run,started,scenario");
}

TEST(TareReport, out_file_holds_it_and_stdout_nothing) {
    const fakes::Tare tare;
    tare.run_fake("good");
    const std::string file = (tare.folder().path() / "r.json").string();
    const auto result = tare({"report", "--format", "json", "--out", file});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, "");
    std::ifstream in(file);
    EXPECT_EQ(json::parse(in)["schema"], "tare.report/1");
}

TEST(TareShow, says_why_a_field_is_not_known) {
    const fakes::Tare tare;
    tare.run_fake("good");
    const auto result = tare({"show"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_HAS(result.out, "flags             - (the engine's hello line has none");
    EXPECT_HAS(result.out, "gpu_name          - (not looked for");
    for (const char* section :
         {"Scenario tiny", "Machine ", "Build", "Model fake", "Plan", "Roof", "Trials"})
        EXPECT_HAS(result.out, section);
}

TEST(TareCompare, two_runs_of_one_scenario_and_no_verdict) {
    const fakes::Tare tare;
    tare.run_fake("good");
    tare.run_fake("good");
    const auto result = tare({"compare", "1", "2", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json compared = json::parse(result.out);
    EXPECT_EQ(compared["schema"], "tare.compare/1");
    EXPECT_TRUE(compared["verdict"].is_null());
}

TEST(TareCompare, other_identities_are_never_compared) {
    const fakes::Tare tare;
    tare.run_fake("good");
    tare.run_fake("good", {"--reps", "2"});
    const auto result = tare({"compare", "1", "2"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
}

TEST(TarePrune, dry_run_deletes_nothing) {
    const fakes::Tare tare;
    tare.run_fake("good");
    tare.run_fake("good");
    const auto result = tare({"prune", "--keep", "1", "--dry-run"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_HAS(result.out, "would delete run 1");
    EXPECT_EQ(json::parse(tare({"list", "--format", "json"}).out)["runs"].size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(tare.store + "/raw/1"));
}

TEST(TarePrune, keep_leaves_the_latest) {
    const fakes::Tare tare;
    for (int i = 0; i < 3; ++i) tare.run_fake("good", {"--rounds", "1"});
    EXPECT_EQ(tare({"prune", "--keep", "1"}).exit_code, 0);
    const json runs = json::parse(tare({"list", "--format", "json"}).out)["runs"];
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]["run"], 3);
    EXPECT_FALSE(std::filesystem::exists(tare.store + "/raw/1"));
}

TEST(TarePrune, raw_only_keeps_the_figures) {
    const fakes::Tare tare;
    tare.run_fake("good");
    EXPECT_EQ(tare({"prune", "1", "--raw-only"}).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(tare.store + "/raw/1"));
    EXPECT_HAS(tare({"report", "1"}).out, "prefill");
    const auto check = tare({"store", "check"});
    EXPECT_EQ(check.exit_code, 0);
    EXPECT_HAS(check.out, "cannot be rebuilt");
}

TEST(TareRebuild, gives_the_same_report) {
    const fakes::Tare tare;
    tare.run_fake("good");
    const std::string before = tare({"report", "--format", "json"}).out;
    const auto result = tare({"store", "rebuild"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_HAS(result.out, "2 trials");
    EXPECT_EQ(tare({"report", "--format", "json"}).out, before);
}

TEST(TareDoctor, knows_every_capability_and_never_crashes) {
    const fakes::Tare tare;
    const auto result =
        tare({"doctor", "--format", "json", "--scenarios", TARE_SOURCE_DIR "/scenarios"});
    ASSERT_TRUE(result.exit_code == 0 || result.exit_code == 4) << result.err;
    const json doctor = json::parse(result.out);
    EXPECT_EQ(doctor["schema"], "tare.doctor/1");
    std::vector<std::string> names;
    for (const json& one : doctor["capabilities"]) {
        names.push_back(one["name"]);
        EXPECT_FALSE(one["seen"].get<std::string>().empty()) << one;
        // Whatever is not there has a fix, whatever is there needs none.
        EXPECT_EQ(one["status"] == "ok", one["fix"].is_null()) << one;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"processor", "cores", "load now", "memory", "clock",
                                               "CUDA toolkit", "NVIDIA driver", "NVML", "CUPTI",
                                               "GPU counters", "engine", "NVTX probe",
                                               "shipped models", "store"}));
    EXPECT_FALSE(std::filesystem::exists(tare.store));
}

TEST(TareDoctor, engine_of_an_unknown_protocol_is_4) {
    const fakes::Tare tare;
    const auto script =
        tare.folder().write("engine", "#!/bin/sh\necho '{\"type\":\"hello\",\"protocol\":99}'\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const auto result =
        tare({"doctor", "--engine", script.string(), "--scenarios", TARE_SOURCE_DIR "/scenarios"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_HAS(result.out, "protocol 99, this tare reads 1");
    EXPECT_HAS(result.out, "does not work here");
}

}  // namespace

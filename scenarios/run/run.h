// SPDX-License-Identifier: Apache-2.0
// One run: the plan is written, its rounds are run, every trial is stored and ingested.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/store/store.h"
#include "scenarios/plan/scenario.h"
#include "scenarios/run/interrupt.h"
#include "scenarios/run/progress.h"

namespace scenarios::run {

// One arm and the program it starts.
struct ArmUnderTest {
    plan::Arm words;
    std::filesystem::path engine;
    std::string spec = {};         // as written on the command line; empty: of the scenario
    std::string why_invalid = {};  // why it cannot be started; then it takes part in no round
};

struct Options {
    plan::Scenario scenario;
    std::filesystem::path engine, probe;
    std::vector<plan::Metric> metrics;  // with margins; of a comparison, else the scenario's
    std::vector<ArmUnderTest> arms;     // empty: the scenario's, each with `engine`
    std::vector<std::string> engine_arguments;  // after the scenario's own
    std::optional<int> threads;
    // More rounds make a figure surer, they do not make it another figure: part of the plan, not
    // of the scenario's identity.
    int timed_rounds = 0, profiled_rounds = 0;
    // Per trial, in place of the scenario's. Of the plan too: it changes no figure of a trial.
    std::optional<double> time_limit_s;
    std::uint64_t seed = 0;
    std::vector<std::string> command_line;
    std::string suite_commit;
    std::string kind = "run";  // of the stored run
    std::string calibration;  // which one the margins were held against; empty: no verdict is meant
};

double time_limit_of(const Options& options);

// Those of `options`; at least one.
std::vector<ArmUnderTest> arms_of(const Options& options);

struct Result {
    std::optional<reports::Id> run;  // null: interrupted before there was anything to keep
    bool interrupted = false;
    int trials = 0, valid = 0;
    int trials_before = 0;  // of `trials`: measured before the run went on
    // Of the first trial that came to its first measured rep: from the start of its process to
    // there.
    std::optional<std::int64_t> warm_up_ns;
    bool refused = false;       // by the engine: what it is asked has to be corrected
    std::string stopped_early;  // why not all trials were run; empty otherwise
    double wall_s = 0, ingest_s = 0;
};

// Throws StoreError and FileError; the run is then marked failed and what was measured is kept.
Result run_scenario(reports::Store& store,
                    const Options& options,
                    const Interrupt& interrupt,
                    Progress& progress);

}  // namespace scenarios::run

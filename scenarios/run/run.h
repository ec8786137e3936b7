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

struct Options {
    plan::Scenario scenario;
    std::filesystem::path engine, probe;
    std::vector<std::string> engine_arguments;  // after the scenario's own
    std::optional<int> threads;
    // More rounds make a figure surer, they do not make it another figure: part of the plan, not
    // of the scenario's identity.
    int timed_rounds = 0, profiled_rounds = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> command_line;
    std::string suite_commit;
};

struct Result {
    std::optional<reports::Id> run;  // null: interrupted before there was anything to keep
    bool interrupted = false;
    int trials = 0, valid_timed = 0, valid_profiled = 0;
    std::string stopped_early;  // why not all trials were run; empty otherwise
    double wall_s = 0, ingest_s = 0;
};

// Throws StoreError and FileError; the run is then marked failed and what was measured is kept.
Result run_scenario(reports::Store& store,
                    const Options& options,
                    const Interrupt& interrupt,
                    Progress& progress);

}  // namespace scenarios::run

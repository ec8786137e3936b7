// SPDX-License-Identifier: Apache-2.0
// What every subcommand that measures shares: where engine, probe, scenario and store come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/store/store.h"
#include "scenarios/cli/context.h"
#include "scenarios/plan/scenario.h"
#include "scenarios/run/interrupt.h"
#include "scenarios/run/run.h"

namespace scenarios::cli {

struct MeasuringOptions {
    std::string backend = "cpu";
    std::string engine, store, scenario_folder;
    std::vector<std::string> engine_arguments;
    std::optional<int> reps, threads;
    std::optional<std::uint64_t> seed;
    bool quiet = false;
};

void add_measuring_options(CLI::App& command, MeasuringOptions& options);

// Each throws UsageError with what to do.
void check_backend(const std::string& backend);
std::filesystem::path find_engine(const MeasuringOptions& options, const Context& context);
// Of a command: --engine, else what [build] makes of the working tree; else the word the command
// begins with. It need not be there: arms may be built from refs.
std::filesystem::path find_command_program(const plan::Scenario& scenario,
                                           const MeasuringOptions& options);
// That every arm which is to run has its program.
void check_programs(const run::Options& options);
std::filesystem::path find_probe(const Context& context, int profiled_rounds);
plan::Scenario load_scenario(const std::string& text,
                             const MeasuringOptions& options,
                             const Context& context);

// Of a file that is known. Throws UsageError.
plan::Scenario load_scenario_file(const std::filesystem::path& file,
                                  const MeasuringOptions& options);

// What every run has in common: where programs lie, the seed (drawn unless given), who asked.
// `kind` is of the stored run. Throws UsageError.
run::Options common_options(plan::Scenario scenario,
                            const MeasuringOptions& options,
                            const Context& context,
                            const std::string& kind,
                            int timed_rounds,
                            int profiled_rounds);

// What `work` returns. What fails once an interrupt came (a build, the wait for another writer) is
// said, and 130.
int unless_interrupted(const run::Interrupt& interrupt, const std::function<int()>& work);

// When their result reached nobody: "run 3 is stored; `tare report 3` shows it".
std::string what_is_stored(const std::vector<reports::Id>& runs, const std::string& command);

reports::Store new_store(const std::string& option, const run::Interrupt& interrupt);

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/measuring.h"

#include <unistd.h>

#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "scenarios/cli/library.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/resolve.h"
#include "scenarios/run/command.h"
#include "scenarios/run/paths.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

std::uint64_t drawn_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) >> 1;  // fits into a signed column
}

}  // namespace

void check_backend(const std::string& backend) {
    if (backend == "cuda")
        throw UsageError(
            "--backend cuda: this version has no CUDA backend in its engine; it was not "
            "replaced by another one. Use --backend cpu");
}

fs::path find_engine(const MeasuringOptions& options, const Context& context) {
    const fs::path engine = options.engine.empty() ? run::engine_beside(context.executable)
                                                   : fs::absolute(options.engine);
    if (!fs::is_regular_file(engine) || access(engine.c_str(), X_OK) != 0)
        throw UsageError(
            fmt::format("engine {}: not a program that can be run; build tare-engine or "
                        "name one with --engine PATH",
                        engine.string()));
    return engine;
}

namespace {

// The recipe of the project that the scenario belongs to.
plan::BuildRecipe recipe_of(const plan::Scenario& scenario) {
    if (scenario.build) return *scenario.build;
    const fs::path file = scenario.directory / plan::project_file;
    const auto text = run::read_text(file);
    if (!text)
        throw UsageError(fmt::format(
            "scenario {}: its command wants a program, and {} is not there to say where it is "
            "built; write [build] with command = \"...\" and artefact = \"...\" (`tare init` "
            "writes one), or name a program with --engine PATH",
            scenario.name, file.string()));
    return plan::parse_project(*text, file.string());
}

}  // namespace

fs::path find_command_program(const plan::Scenario& scenario, const MeasuringOptions& options) {
    if (!plan::takes_program(scenario)) {
        if (options.engine.empty()) return run::program_of(scenario.command[0], scenario.directory);
        throw UsageError(fmt::format(
            "--engine {}: the command of scenario {} has no place for it; write {} there, e.g. "
            "command = [\"{}\"]",
            options.engine, scenario.name, plan::program_mark, plan::program_mark));
    }
    if (!options.engine.empty()) return fs::absolute(options.engine);
    try {
        return (scenario.directory / recipe_of(scenario).artefacts.at(0)).lexically_normal();
    } catch (const plan::ScenarioError& error) {
        throw UsageError(error.what());
    }
}

void check_programs(const run::Options& options) {
    if (options.scenario.workload != plan::Workload::command) return;
    for (const run::ArmUnderTest& arm : run::arms_of(options)) {
        if (!arm.why_invalid.empty()) continue;
        const fs::path program = arm.engine;
        // What an interpreter is given need not be executable itself.
        const bool is_started = !plan::takes_program(options.scenario) ||
                                options.scenario.command[0] == plan::program_mark;
        if (fs::is_regular_file(program) && (!is_started || access(program.c_str(), X_OK) == 0))
            continue;
        throw UsageError(
            fmt::format("program {}: not a program that can be run; build it first (as [build] of "
                        "{} says), correct artefact or command, or name one with --engine PATH",
                        program.string(), plan::project_file));
    }
}

// A missing probe would be a profile without records: NVTX ignores a path that does not exist.
fs::path find_probe(const Context& context, int profiled_rounds) {
    const fs::path probe = run::probe_beside(context.executable);
    if (profiled_rounds > 0 && !fs::is_regular_file(probe))
        throw UsageError(
            fmt::format("probe {}: not there, so nothing can be profiled; build it, or "
                        "use --profiled-rounds 0 for timed trials alone",
                        probe.string()));
    if (profiled_rounds > 0)
        if (const Library library({probe.string()}); !library)
            throw UsageError(
                fmt::format("probe {}: cannot be loaded ({}); build it anew, or use "
                            "--profiled-rounds 0 for timed trials alone",
                            probe.string(), library.error()));
    return probe;
}

plan::Scenario load_scenario(const std::string& text,
                             const MeasuringOptions& options,
                             const Context& context) {
    try {
        const auto folders = plan::scenario_folders(given(options.scenario_folder),
                                                    fs::current_path(), context.executable);
        return load_scenario_file(plan::find_scenario(text, folders), options);
    } catch (const plan::NotFound& error) {
        throw UsageError(error.what());
    }
}

plan::Scenario load_scenario_file(const fs::path& file, const MeasuringOptions& options) {
    try {
        plan::Scenario scenario = plan::load_scenario(file, options.backend);
        // More reps make another figure of each trial: part of the scenario's identity.
        if (options.reps && scenario.workload == plan::Workload::command)
            throw UsageError(
                fmt::format("--reps {}: a trial of scenario {} is one process; use --rounds",
                            *options.reps, scenario.name));
        if (options.reps) scenario.reps = *options.reps;
        return scenario;
    } catch (const plan::ScenarioError& error) {
        throw UsageError(error.what());
    }
}

int unless_interrupted(const run::Interrupt& interrupt, const std::function<int()>& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        if (!interrupt.raised()) throw;
        say(fmt::format("interrupted; {}", error.what()));
        return ExitCode::interrupted;
    }
}

std::string what_is_stored(const std::vector<reports::Id>& runs, const std::string& command) {
    if (runs.empty()) return "Nothing was measured";
    if (runs.size() == 1)
        return fmt::format("run {} is stored; `tare {} {}` shows it", runs[0], command, runs[0]);
    return fmt::format("runs {} are stored; `tare {} RUN` shows each", fmt::join(runs, ", "),
                       command);
}

run::Options common_options(plan::Scenario scenario,
                            const MeasuringOptions& options,
                            const Context& context,
                            const std::string& kind,
                            int timed_rounds,
                            int profiled_rounds) {
    run::Options out;
    out.scenario = std::move(scenario);
    out.engine = out.scenario.workload == plan::Workload::command
                     ? find_command_program(out.scenario, options)
                     : find_engine(options, context);
    out.probe = find_probe(context, profiled_rounds);
    out.engine_arguments = options.engine_arguments;
    out.threads = options.threads;
    out.timed_rounds = timed_rounds;
    out.profiled_rounds = profiled_rounds;
    out.seed = options.seed ? *options.seed : drawn_seed();
    out.command_line = context.command_line;
    out.suite_commit = suite_commit();
    out.kind = kind;
    return out;
}

reports::Store new_store(const std::string& option, const run::Interrupt& interrupt) {
    try {
        const auto stopped = [&interrupt] { return interrupt.raised(); };
        return reports::Store(reports::store_folder(given(option)),
                              reports::Store::Access::read_write, patience(stopped));
    } catch (const reports::MachineLacks&) {
        throw;  // nothing to correct on the command line
    } catch (const reports::StoreError& error) {
        throw UsageError(error.what());
    }
}

void add_measuring_options(CLI::App& command, MeasuringOptions& options) {
    command.add_option("--backend", options.backend, "Backend of the engine")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    command.add_option("--engine", options.engine, "The engine (default: tare-engine beside tare)")
        ->type_name("PATH");
    command
        .add_option("--engine-arg", options.engine_arguments,
                    "One more argument for the engine; repeat for more")
        ->type_name("ARG")
        ->allow_extra_args(false);
    command.add_option("--threads", options.threads, "Threads of the engine")
        ->check(CLI::Range(1, 4096));
    command
        .add_option("--reps", options.reps, "Measured reps in each trial; makes another scenario")
        ->check(CLI::Range(1, 100'000));
    command.add_option("--seed", options.seed, "Seed of the order of trials (default: drawn)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}));
    add_store_option(command, options.store);
    command.add_option("--scenarios", options.scenario_folder, "Folder names are looked up in")
        ->type_name("DIR");
    command.add_flag("--quiet", options.quiet, "No progress on stderr");
}

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
// tare run SCENARIO...: measure one build, store it, print the breakdown.
#include <unistd.h>

#include <memory>
#include <random>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/queries/report_query.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/resolve.h"
#include "scenarios/run/paths.h"
#include "scenarios/run/run.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

struct RunOptions {
    std::vector<std::string> scenarios;
    std::string backend = "cpu";
    std::string engine, store, scenario_folder;
    std::vector<std::string> engine_arguments;
    std::optional<int> rounds, profiled_rounds, reps, threads;
    std::optional<std::uint64_t> seed;
    OutputOptions output;
    bool quiet = false;
};

void check_backend(const std::string& backend) {
    if (backend == "cuda")
        throw UsageError(
            "--backend cuda: this version has no CUDA backend in its engine; it was not "
            "replaced by another one. Use --backend cpu");
}

void check_output(const RunOptions& options) {
    check_output_file(options.output.out);
    const bool one_object = options.output.format == "json" || options.output.format == "csv";
    if (one_object && options.scenarios.size() > 1)
        throw UsageError(
            fmt::format("--format {} holds one report, and {} scenarios were given; run "
                        "them one by one, or use --format table or markdown",
                        options.output.format, options.scenarios.size()));
}

fs::path find_engine(const RunOptions& options, const Context& context) {
    const fs::path engine = options.engine.empty() ? run::engine_beside(context.executable)
                                                   : fs::absolute(options.engine);
    if (!fs::is_regular_file(engine) || access(engine.c_str(), X_OK) != 0)
        throw UsageError(
            fmt::format("engine {}: not a program that can be run; build tare-engine or "
                        "name one with --engine PATH",
                        engine.string()));
    return engine;
}

// A missing probe would be a profile without records: NVTX ignores a path that does not exist.
fs::path find_probe(const Context& context, int profiled_rounds) {
    const fs::path probe = run::probe_beside(context.executable);
    if (profiled_rounds > 0 && !fs::is_regular_file(probe))
        throw UsageError(
            fmt::format("probe {}: not there, so nothing can be profiled; build it, or "
                        "use --profiled-rounds 0 for timed trials alone",
                        probe.string()));
    return probe;
}

std::uint64_t drawn_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) >> 1;  // fits into a signed column
}

plan::Scenario load(const std::string& text, const RunOptions& options, const Context& context) {
    try {
        const auto folders = plan::scenario_folders(given(options.scenario_folder),
                                                    fs::current_path(), context.executable);
        plan::Scenario scenario =
            plan::load_scenario(plan::find_scenario(text, folders), options.backend);
        // More reps make another figure of each trial: part of the scenario's identity.
        if (options.reps) scenario.reps = *options.reps;
        return scenario;
    } catch (const plan::NotFound& error) {
        throw UsageError(error.what());
    } catch (const plan::ScenarioError& error) {
        throw UsageError(error.what());
    }
}

run::Options plan_run(plan::Scenario scenario, const RunOptions& options, const Context& context) {
    run::Options out;
    out.timed_rounds = options.rounds.value_or(scenario.rounds);
    out.profiled_rounds = options.profiled_rounds.value_or(scenario.profiled_rounds);
    if (out.timed_rounds + out.profiled_rounds == 0)
        throw UsageError("--rounds 0 and --profiled-rounds 0 leave nothing to run; raise one");
    out.scenario = std::move(scenario);
    out.engine = find_engine(options, context);
    out.probe = find_probe(context, out.profiled_rounds);
    out.engine_arguments = options.engine_arguments;
    out.threads = options.threads;
    out.seed = options.seed ? *options.seed : drawn_seed();
    out.command_line = context.command_line;
    out.suite_commit = suite_commit();
    return out;
}

// Every mode that was asked for has to have left something valid to report.
int exit_code(const run::Options& options, const run::Result& result, bool report_valid) {
    if (result.interrupted) return ExitCode::interrupted;
    const bool timed = options.timed_rounds == 0 || result.valid_timed > 0;
    const bool profiled = options.profiled_rounds == 0 || result.valid_profiled > 0;
    return timed && profiled && report_valid && result.stopped_early.empty() ? ExitCode::pass
                                                                             : ExitCode::invalid;
}

void say_how_it_ended(const run::Result& result, run::Progress& progress) {
    if (!result.stopped_early.empty()) progress.notice(result.stopped_early);
    if (result.interrupted)
        progress.notice(fmt::format("interrupted; run {} keeps its {} trials (`tare report {}`)",
                                    *result.run, result.trials, *result.run));
    else
        progress.notice(fmt::format("run {} took {:.1f} s, of which ingest {:.2f} s ({:.1f} %)",
                                    *result.run, result.wall_s, result.ingest_s,
                                    100 * result.ingest_s / result.wall_s));
}

int run_one(const run::Options& options,
            const RunOptions& given,
            const run::Interrupt& interrupt,
            reports::Store& store,
            std::string& text) {
    run::Progress progress(run::Progress::style_of_stderr(given.quiet));
    const run::Result result = run::run_scenario(store, options, interrupt, progress);
    if (!result.run) {
        progress.notice("interrupted before the first trial; there is nothing to keep");
        return ExitCode::interrupted;
    }
    say_how_it_ended(result, progress);
    const reports::Report report = reports::load_report(store, *result.run);
    text +=
        (text.empty() ? "" : "\n") + reports::render::report(report, render_options(given.output));
    return exit_code(options, result, report.valid);
}

reports::Store new_store(const std::string& option) {
    try {
        return reports::Store(reports::store_folder(given(option)));
    } catch (const reports::StoreError& error) {
        throw UsageError(error.what());
    }
}

int run_all(const RunOptions& options, const Context& context) {
    check_backend(options.backend);
    check_output(options);
    // All scenarios are read before the first is run: an error in the last one costs no minutes.
    std::vector<run::Options> plans;
    for (const std::string& text : options.scenarios)
        plans.push_back(plan_run(load(text, options, context), options, context));
    reports::Store store = new_store(options.store);
    const run::Interrupt interrupt;
    int worst = ExitCode::pass;
    std::string text;
    for (const run::Options& plan : plans) {
        const int code = run_one(plan, options, interrupt, store, text);
        worst = std::max(worst, code);
        if (code == ExitCode::interrupted || interrupt.raised()) break;
    }
    write_output(text, options.output.out);
    return worst;
}

void add_plan_options(CLI::App& command, RunOptions& options) {
    command.add_option("--rounds", options.rounds, "Timed trials (default: the scenario's)")
        ->check(CLI::Range(0, 1000));
    command
        .add_option("--profiled-rounds", options.profiled_rounds,
                    "Trials with the probe (default: the scenario's)")
        ->check(CLI::Range(0, 1000));
    command
        .add_option("--reps", options.reps, "Measured reps in each trial; makes another scenario")
        ->check(CLI::Range(1, 100'000));
    command.add_option("--seed", options.seed, "Seed of the order of trials (default: drawn)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}));
}

void add_engine_options(CLI::App& command, RunOptions& options) {
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
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Measure one build and print its breakdown");
    command->add_option("SCENARIO", options->scenarios, "Name of a scenario, or a .toml file")
        ->required();
    command->add_option("--scenarios", options->scenario_folder, "Folder names are looked up in")
        ->type_name("DIR");
    add_engine_options(*command, *options);
    add_plan_options(*command, *options);
    add_store_option(*command, options->store);
    add_output_options(*command, options->output);
    command->add_flag("--quiet", options->quiet, "No progress on stderr");
    command->footer(
        "Examples:\n"
        "  tare run prefill-4k\n"
        "  tare run decode-64 --rounds 12 --format json --out decode.json\n"
        "  tare run my.toml --engine-arg --isa --engine-arg baseline\n"
        "  tare run decode-64 --engine-arg --fault "
        "--engine-arg 'delay:decode/step/*/norm:50'");
    command->callback([options, &context] {
        context.action = [options, &context] { return run_all(*options, context); };
    });
}

}  // namespace scenarios::cli

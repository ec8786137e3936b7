// SPDX-License-Identifier: Apache-2.0
// tare run SCENARIO...: measure one build, store it, print the breakdown.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/queries/report_query.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/run/run.h"

namespace scenarios::cli {

namespace {

struct RunOptions {
    std::vector<std::string> scenarios;
    std::optional<int> rounds, profiled_rounds;
    MeasuringOptions measuring;
    OutputOptions output;
};

void check_output(const RunOptions& options) {
    check_output_file(options.output.out);
    const std::string& format = options.output.format;
    const bool one_object = format == "json" || format == "csv" || format == "html";
    if (one_object && options.scenarios.size() > 1)
        throw UsageError(
            fmt::format("--format {} holds one report, and {} scenarios were given; run "
                        "them one by one, or use --format table or markdown",
                        options.output.format, options.scenarios.size()));
}

run::Options plan_run(plan::Scenario scenario, const RunOptions& options, const Context& context) {
    const int timed = options.rounds.value_or(scenario.rounds);
    const int profiled = options.profiled_rounds.value_or(scenario.profiled_rounds);
    if (timed + profiled == 0)
        throw UsageError("--rounds 0 and --profiled-rounds 0 leave nothing to run; raise one");
    run::Options out =
        common_options(std::move(scenario), options.measuring, context, "run", timed, profiled);
    check_programs(out);
    return out;
}

struct Ran {
    std::string text;  // of the reports
    std::vector<reports::Id> runs;
};

// A valid report has the planned number of valid trials in every mode of every arm.
int exit_code(const run::Result& result, const reports::Report& report) {
    if (result.interrupted) return ExitCode::interrupted;
    return reports::run_is_valid(report) && result.stopped_early.empty() ? ExitCode::pass
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
            Ran& ran) {
    run::Progress progress(run::Progress::style_of_stderr(given.measuring.quiet));
    const run::Result result = run::run_scenario(store, options, interrupt, progress);
    if (!result.run) {
        progress.notice("interrupted before the first trial; there is nothing to keep");
        return ExitCode::interrupted;
    }
    ran.runs.push_back(*result.run);
    if (result.refused && !result.interrupted) {
        say(fmt::format("{}. Run {} keeps what there is", result.stopped_early, *result.run));
        return ExitCode::usage;
    }
    say_how_it_ended(result, progress);
    const reports::Report report = reports::load_report(store, *result.run);
    ran.text += (ran.text.empty() ? "" : "\n") +
                reports::render::report(report, render_options(given.output));
    return exit_code(result, report);
}

int run_plans(const std::vector<run::Options>& plans,
              const RunOptions& options,
              const run::Interrupt& interrupt) {
    reports::Store store = new_store(options.measuring.store, interrupt);
    int worst = ExitCode::pass;
    Ran ran;
    for (const run::Options& plan : plans) {
        const int code = run_one(plan, options, interrupt, store, ran);
        worst = std::max(worst, code);
        if (code == ExitCode::interrupted || interrupt.raised()) break;
    }
    if (!ran.text.empty() || worst != ExitCode::usage)
        write_output(ran.text, options.output.out, what_is_stored(ran.runs, "report"));
    return interrupt.raised() ? ExitCode::interrupted : worst;
}

int run_all(const RunOptions& options, const Context& context) {
    check_backend(options.measuring.backend);
    check_output(options);
    // All scenarios are read before the first is run: an error in the last one costs no minutes.
    std::vector<run::Options> plans;
    for (const std::string& text : options.scenarios)
        plans.push_back(
            plan_run(load_scenario(text, options.measuring, context), options, context));
    const run::Interrupt interrupt;
    return unless_interrupted(interrupt, [&] { return run_plans(plans, options, interrupt); });
}

void add_plan_options(CLI::App& command, RunOptions& options) {
    command.add_option("--rounds", options.rounds, "Timed trials (default: the scenario's)")
        ->check(CLI::Range(0, 1000));
    command
        .add_option("--profiled-rounds", options.profiled_rounds,
                    "Trials with the probe (default: the scenario's)")
        ->check(CLI::Range(0, 1000));
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Measure one build and print its breakdown");
    command->add_option("SCENARIO", options->scenarios, "Name of a scenario, or a .toml file")
        ->required();
    add_measuring_options(*command, options->measuring);
    add_plan_options(*command, *options);
    add_output_options(*command, options->output);
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

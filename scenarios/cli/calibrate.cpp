// SPDX-License-Identifier: Apache-2.0
// tare calibrate SCENARIO: one build against itself, and what this machine can tell by that.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/compare/calibrate.h"
#include "reports/render/calibration.h"
#include "reports/stats/sequential_plan.h"
#include "reports/store/calibrations.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/options.h"
#include "scenarios/run/rounds.h"

namespace scenarios::cli {

namespace {

constexpr int least_rounds = 24;  // reports::stats::least_calibration_rounds
constexpr int most_rounds = 400;

struct CalibrateOptions {
    std::string scenario;
    int rounds = least_rounds;
    std::optional<int> profiled_rounds;
    MeasuringOptions measuring;
    OutputOptions output;
};

void check_words(const CalibrateOptions& options) {
    check_backend(options.measuring.backend);
    check_output_file(options.output.out);
    if (options.rounds % 2 != 0)
        throw UsageError(fmt::format("--rounds {}: rounds come in blocks of two; use {} or {}",
                                     options.rounds, options.rounds - 1, options.rounds + 1));
}

// The first arm of a scenario that has some: twice the same program, environment and arguments.
void add_twins(run::Options& out) {
    const plan::Arm words =
        out.scenario.arms.empty() ? plan::Arm{} : plan::Arm(out.scenario.arms[0]);
    for (const char* name : {"a", "b"}) {
        out.arms.push_back({.words = words, .engine = out.engine, .spec = words.name});
        out.arms.back().words.name = name;
    }
}

run::Options run_options(plan::Scenario scenario,
                         const CalibrateOptions& options,
                         const run::RoundsPlan& rounds,
                         const Context& context) {
    run::Options out = common_options(std::move(scenario), options.measuring, context, "calibrate",
                                      options.rounds, rounds.profiled_rounds);
    add_twins(out);
    check_programs(out);
    return out;
}

// nullopt: interrupted.
std::optional<reports::Id> measure(run::Options& options,
                                   const run::RoundsPlan& rounds,
                                   const run::Interrupt& interrupt,
                                   reports::Store& store,
                                   run::Progress& progress) {
    const run::Preflight before = run::preflight(options, interrupt, progress);
    if (before.interrupted) {
        progress.notice("interrupted before the first round; there is nothing to keep");
        return std::nullopt;
    }
    // All of the rounds are wanted: none of them decides anything.
    const auto never = [](reports::Id, int) { return false; };
    const run::Result result =
        run::run_rounds(store, options, rounds, before, never, interrupt, progress);
    if (result.interrupted) {
        progress.notice(fmt::format(
            "interrupted; run {} keeps its {} trials, and nothing is calibrated by them",
            *result.run, result.trials));
        return std::nullopt;
    }
    progress.notice(fmt::format("run {} took {:.1f} s for {} trials", *result.run, result.wall_s,
                                result.trials));
    return result.run;
}

int calibrate(const CalibrateOptions& options, const Context& context) {
    check_words(options);
    plan::Scenario scenario = load_scenario(options.scenario, options.measuring, context);
    // As `tare ab` takes them: as many profiled rounds as timed ones.
    const run::RoundsPlan rounds{.looks = {options.rounds},
                                 .profiled_rounds = options.profiled_rounds.value_or(
                                     profiled_rounds_of(scenario, options.rounds))};
    run::Options asked = run_options(std::move(scenario), options, rounds, context);
    const run::Interrupt interrupt;
    reports::Store store = new_store(options.measuring.store, interrupt);
    run::Progress progress(run::Progress::style_of_stderr(options.measuring.quiet));
    const auto run = measure(asked, rounds, interrupt, store, progress);
    if (!run) return ExitCode::interrupted;
    reports::Calibration found =
        reports::compare::calibrate(store, *run, reports::stats::default_looks);
    if (found.reasons.empty()) found.id = reports::save_calibration(store, found);
    write_output(reports::render::calibration(found, render_options(options.output)),
                 options.output.out, what_is_stored({*run}, "report"));
    return found.reasons.empty() ? ExitCode::pass : ExitCode::invalid;
}

void add_calibrate_options(CLI::App& command, CalibrateOptions& options) {
    command.add_option("SCENARIO", options.scenario, "Name of a scenario, or a .toml file")
        ->required();
    command.add_option("--rounds", options.rounds, "Timed rounds, even")
        ->check(CLI::Range(least_rounds, most_rounds))
        ->capture_default_str();
    command
        .add_option("--profiled-rounds", options.profiled_rounds,
                    "Profiled rounds, for the noise of kernels (default: as many as timed ones)")
        ->check(CLI::Range(0, most_rounds));
    add_measuring_options(command, options.measuring);
    command.add_option("--format", options.output.format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "json"}))
        ->capture_default_str();
    command.add_option("--out", options.output.out, "Write to FILE instead of stdout")
        ->type_name("FILE");
    command.add_option("--top", options.output.top, "Kernel rows in a table or markdown; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
}

}  // namespace

void add_calibrate(CLI::App& app, Context& context) {
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = app.add_subcommand(
        "calibrate", "One build against itself: noise, and the smallest honest margin");
    add_calibrate_options(*command, *options);
    command->footer(
        "Kept in the store for this machine class and scenario; `tare ab` and `tare gate` then\n"
        "refuse smaller margins. A scenario with arms is calibrated by its first one.\n"
        "Examples:\n"
        "  tare calibrate decode-64\n"
        "  tare calibrate prefill-4k --rounds 48 --profiled-rounds 0 --format json");
    command->callback([options, &context] {
        context.action = [options, &context] { return calibrate(*options, context); };
    });
}

}  // namespace scenarios::cli

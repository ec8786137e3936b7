// SPDX-License-Identifier: Apache-2.0
// tare gate [SCENARIO...]: a verdict against the baselines of a repository, for CI.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "baselines/gate/words.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/baseline_files.h"
#include "scenarios/cli/gate_accept.h"
#include "scenarios/cli/gate_options.h"
#include "scenarios/cli/gate_self_test.h"
#include "scenarios/cli/gate_timings.h"
#include "scenarios/plan/margin.h"
#include "scenarios/run/command.h"
#include "scenarios/run/machine.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

void check_margins(const std::vector<std::string>& margins, const plan::Scenario& scenario) {
    try {
        metrics_of(scenario, margins);
    } catch (const plan::MarginSyntax& error) {
        throw UsageError(error.what());
    }
}

void check_words(const GateOptions& options) {
    check_backend(options.measuring.backend);
    check_output_file(options.output.out);
    if (options.accept && options.self_test)
        throw UsageError("--accept and --self-test exclude each other; give one");
    if (options.accept && options.scenarios.empty())
        throw UsageError("--accept: name the scenarios whose baselines are to be written");
    if (options.accept && options.reason.find_first_not_of(" \t\n") == std::string::npos)
        throw UsageError(
            "--accept needs --reason \"why what is new is right\"; it is kept in the file");
    const ChecksAsked asked = checks_asked(options);
    if (options.accept && asked.exact.counts != asked.exact.tokens)
        throw UsageError(
            "--accept writes whole files: counts and tokens are one, timings another; give it "
            "without --only, or with --only counts,tokens or --only timings");
    if (options.rounds && *options.rounds % 2 != 0)
        throw UsageError(fmt::format("--rounds {}: rounds come in blocks of two; use {} or {}",
                                     *options.rounds, *options.rounds - 1, *options.rounds + 1));
    if (!options.accept && !options.reason.empty())
        throw UsageError("--reason belongs to --accept; give both or neither");
}

std::vector<std::string> scenarios_asked(const GateOptions& options, const fs::path& folder) {
    if (!options.scenarios.empty()) return options.scenarios;
    if (options.self_test) return {"decode-64"};
    const ChecksAsked asked = checks_asked(options);
    return scenarios_with_baseline(
        folder, asked.any_exact() ? "any" : run::observe_machine().machine_class);
}

void add(std::vector<baselines::Check> from, baselines::GateVerdict& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to.checks));
}

// A profile that lost something says nothing of times; a timed trial that failed does.
std::string failed_timing(const reports::Report& arm) {
    for (const reports::TrialRow& row : arm.trials)
        if (row.trial.mode == reports::Mode::timed && !row.trial.valid) return row.trial.reason;
    return "";
}

std::vector<baselines::Check> check_stored(const reports::Report& report,
                                           const TimingsPlan& timings,
                                           const Gating& with) {
    std::vector<baselines::Check> out;
    for (const reports::Report* arm : reports::arms_of(report))
        if (const std::string why = failed_timing(*arm); !why.empty())
            out.push_back(
                baselines::timings_check(arm->arm.name, baselines::Outcome::invalid, why));
    if (!out.empty()) return out;
    return baselines::stored_checks(*timings.baseline,
                                    reports::compare::load_timed_samples(with.store, report.run.id),
                                    margins_of(timings.metrics), report.run.id);
}

baselines::GateVerdict without_baseline(const std::string& scenario, const fs::path& file) {
    return {.scenario = scenario,
            .run = 0,
            .baseline = file.string(),
            .planted = false,
            .checks = {{"baseline",
                        "",
                        baselines::Outcome::invalid,
                        {fmt::format("there is none, so nothing was checked; write it with: tare "
                                     "gate {} --accept --reason \"first baseline\"",
                                     scenario)}}}};
}

// What the exact checks and stored samples need; nothing where neither is asked.
GateTrials trials_of(const GateOptions& options, bool against_stored) {
    GateTrials out;
    if (against_stored) out.timed = options.rounds.value_or(accepted_trials);
    if (!checks_asked(options).any_exact()) out.profiled = 0;
    return out;
}

// Everything that one run of the engine at hand can say.
void check_run(const reports::Report& report,
               const std::optional<baselines::Baseline>& exact,
               const std::optional<TimingsPlan>& timings,
               const GateOptions& options,
               const Gating& with,
               baselines::GateVerdict& verdict) {
    const ChecksAsked asked = checks_asked(options);
    if (exact) verdict = judge_gate(*exact, report, asked.exact);
    verdict.run = report.run.id;
    if (!timings || !timings->baseline) return;
    if (asked.exact.counts) add(baselines::class_count_checks(*timings->baseline, report), verdict);
    if (options.against == "stored") add(check_stored(report, *timings, with), verdict);
}

std::optional<baselines::GateVerdict> check_one(plan::Scenario scenario,
                                                const GateOptions& options,
                                                const Gating& with,
                                                const fs::path& folder) {
    const ChecksAsked asked = checks_asked(options);
    const fs::path any = baseline_file(folder, scenario.name);
    const auto exact = asked.any_exact() ? read_baseline(any) : std::nullopt;
    if (asked.any_exact() && !exact) return without_baseline(scenario.name, any);
    std::optional<TimingsPlan> timings;
    if (asked.timings) timings = plan_timings(scenario, options, with, folder);
    const bool has_baseline = timings && timings->baseline;
    const bool stored = has_baseline && options.against == "stored";
    baselines::GateVerdict verdict{.scenario = scenario.name, .run = 0};
    if (exact || stored) {
        const auto report = measure_gate(scenario, with, trials_of(options, stored));
        if (!report) return std::nullopt;
        check_run(*report, exact, timings, options, with, verdict);
    }
    // Of rounds in which both sides are struck as much as of those that stand alone.
    verdict.planted = verdict.planted || run::plants_fault(with.measuring.engine_arguments);
    verdict.baseline = (asked.any_exact() ? any : timings->file).string();
    if (timings && timings->why_not) verdict.checks.push_back(*timings->why_not);
    if (has_baseline && !stored) {
        auto checks = interleave_timings(scenario, *timings, options, with);
        if (!checks) return std::nullopt;
        add(std::move(*checks), verdict);
    }
    return verdict;
}

baselines::TextOptions text_options(const GateOptions& options) {
    using baselines::Format;
    const auto common =
        render_options({.format = "table", .out = options.output.out, .top = 0, .by_path = false});
    const std::string& format = options.output.format;
    return {.format = format == "json"       ? Format::json
                      : format == "markdown" ? Format::markdown
                      : format == "junit"    ? Format::junit
                      : format == "github"   ? Format::github
                                             : Format::table,
            .color = common.color,
            .width = common.width};
}

// nullopt: interrupted.
std::optional<baselines::GateVerdict> verdict_on(plan::Scenario scenario,
                                                 const GateOptions& options,
                                                 const Gating& with,
                                                 const fs::path& folder) {
    if (options.self_test) return gate_self_test(std::move(scenario), with);
    return options.accept ? accept_baseline(std::move(scenario), options, with, folder)
                          : check_one(std::move(scenario), options, with, folder);
}

int gate(const GateOptions& options, const Context& context) {
    check_words(options);
    const fs::path folder = baselines_folder(options.baselines);
    const auto names = scenarios_asked(options, folder);
    if (names.empty()) {
        std::fprintf(stderr,
                     "tare: no baseline in %s, so nothing was checked; write one with: tare gate "
                     "SCENARIO --accept --reason \"first baseline\"\n",
                     (folder / "any").c_str());
        return ExitCode::invalid;
    }
    std::vector<plan::Scenario> scenarios;
    for (const std::string& text : names)
        check_margins(options.margins,
                      scenarios.emplace_back(load_scenario(text, options.measuring, context)));
    const run::Interrupt interrupt;
    reports::Store store = new_store(options.measuring.store, interrupt);
    const Gating with{options.measuring, context, interrupt, store};
    // A margin that is refused costs no measurement, the last scenario's neither.
    if (checks_asked(options).timings && !options.accept && !options.self_test)
        for (const plan::Scenario& scenario : scenarios)
            plan_timings(scenario, options, with, folder);
    std::vector<baselines::GateVerdict> all;
    for (plan::Scenario& scenario : scenarios) {
        auto one = verdict_on(std::move(scenario), options, with, folder);
        if (!one) return ExitCode::interrupted;
        keep_gate_verdict(store, *one);
        all.push_back(std::move(*one));
    }
    std::vector<reports::Id> runs;
    for (const baselines::GateVerdict& one : all)
        if (one.run != 0) runs.push_back(one.run);
    write_output(baselines::to_text(all, text_options(options)), options.output.out,
                 what_is_stored(runs, "report"));
    return baselines::exit_code(all);
}

void add_gate_options(CLI::App& command, GateOptions& options) {
    command.add_option("SCENARIO", options.scenarios,
                       "Names of scenarios, or .toml files (default: all that have a baseline)");
    command.add_option("--only", options.only, "Check no more than these")
        ->delimiter(',')
        ->check(CLI::IsMember({"counts", "tokens", "timings"}))
        ->type_name("CHECK,...");
    command
        .add_option("--against", options.against,
                    "What times are held against: the baseline's commit, built and run side by "
                    "side, or its stored samples (weaker)")
        ->check(CLI::IsMember({"commit", "stored"}))
        ->capture_default_str();
    command
        .add_option("--margin", options.margins,
                    "Change a metric may have, e.g. decode_wall_ns=2%; repeat for more")
        ->type_name("METRIC=P%")
        ->allow_extra_args(false);
    command
        .add_option("--rounds", options.rounds,
                    "One look after N rounds, even (default: looks after 8, 12, 16, 24); with "
                    "--accept or --against stored, timed trials (default: 12)")
        ->check(CLI::Range(2, 64));
    command.add_flag("--accept", options.accept,
                     "Write what is measured now as the baseline; needs --reason");
    command.add_option("--reason", options.reason, "Why it is right; kept in the file")
        ->type_name("TEXT");
    command.add_flag("--self-test", options.self_test,
                     "Plant one fault after another and see each reported for the right reason");
    command
        .add_option("--baselines", options.baselines,
                    "Folder of baselines (default: baselines/ of the checkout)")
        ->type_name("DIR");
    add_measuring_options(command, options.measuring);
    command.add_option("--format", options.output.format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "json", "junit", "github"}))
        ->capture_default_str();
    command.add_option("--out", options.output.out, "Write to FILE instead of stdout")
        ->type_name("FILE");
}

}  // namespace

ChecksAsked checks_asked(const GateOptions& options) {
    if (options.only.empty()) return {};
    const auto has = [&](const char* name) {
        return std::find(options.only.begin(), options.only.end(), name) != options.only.end();
    };
    return {.exact = {.counts = has("counts"), .tokens = has("tokens")}, .timings = has("timings")};
}

void add_gate(CLI::App& app, Context& context) {
    auto options = std::make_shared<GateOptions>();
    CLI::App* command =
        app.add_subcommand("gate", "Verdict against the baselines of this repository, for CI");
    add_gate_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  tare gate --only counts,tokens\n"
        "  tare gate decode-64 --format junit --out gate.xml\n"
        "  tare gate --only timings --margin decode_wall_ns=3%\n"
        "  tare gate decode-64 --accept --reason \"the router is one kernel now\"\n"
        "  tare gate --self-test");
    command->callback([options, &context] {
        context.action = [options, &context] { return gate(*options, context); };
    });
}

}  // namespace scenarios::cli

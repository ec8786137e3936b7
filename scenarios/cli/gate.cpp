// SPDX-License-Identifier: Apache-2.0
// tare gate [SCENARIO...]: a verdict against the baselines of a repository, for CI.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "baselines/gate/exact.h"
#include "baselines/gate/words.h"
#include "scenarios/cli/baseline_files.h"
#include "scenarios/cli/gate_run.h"
#include "scenarios/cli/gate_self_test.h"
#include "scenarios/cli/options.h"
#include "scenarios/run/clock.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

struct GateOptions {
    std::vector<std::string> scenarios;
    std::vector<std::string> only;
    bool accept = false, self_test = false;
    std::string reason, baselines;
    MeasuringOptions measuring;
    OutputOptions output;
};

ExactChecks checks_asked(const GateOptions& options) {
    if (options.only.empty()) return {};
    const auto has = [&](const char* name) {
        return std::find(options.only.begin(), options.only.end(), name) != options.only.end();
    };
    return {.counts = has("counts"), .tokens = has("tokens")};
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
    if (options.accept && !options.only.empty())
        throw UsageError("--accept writes a whole baseline; give it without --only");
    if (!options.accept && !options.reason.empty())
        throw UsageError("--reason belongs to --accept; give both or neither");
}

std::vector<std::string> scenarios_asked(const GateOptions& options, const fs::path& folder) {
    if (!options.scenarios.empty()) return options.scenarios;
    if (options.self_test) return {"decode-64"};
    return scenarios_with_baseline(folder);
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

// Timings need arms measured side by side; a gate on exact values says that it has no opinion.
void add_timings_note(const GateOptions& options, baselines::GateVerdict& verdict) {
    if (!options.only.empty()) return;
    verdict.checks.push_back({"timings",
                              "",
                              baselines::Outcome::not_checked,
                              {fmt::format("speed is compared side by side: tare ab HEAD~1 HEAD {}",
                                           verdict.scenario)}});
}

std::optional<baselines::GateVerdict> check_one(plan::Scenario scenario,
                                                const GateOptions& options,
                                                const Gating& with,
                                                const fs::path& folder) {
    const fs::path file = baseline_file(folder, scenario.name);
    const auto baseline = read_baseline(file);
    if (!baseline) return without_baseline(scenario.name, file);
    const auto report = measure_gate(std::move(scenario), with, {});
    if (!report) return std::nullopt;
    baselines::GateVerdict verdict = judge_gate(*baseline, *report, checks_asked(options));
    verdict.baseline = file.string();
    add_timings_note(options, verdict);
    return verdict;
}

baselines::GateVerdict refused(const reports::Report& report,
                               const fs::path& file,
                               std::vector<std::string> reasons) {
    return {.scenario = report.scenario.name,
            .run = report.run.id,
            .baseline = file.string(),
            .planted = false,
            .checks = {{"accept", "", baselines::Outcome::invalid, std::move(reasons)}}};
}

baselines::Acceptance acceptance_of(const reports::Report& report, const std::string& reason) {
    return {.date = run::utc_text(run::real_now_ns()),
            .commit = report.build.commit.value_or("unknown"),
            .dirty = report.build.dirty_diff_sha256.has_value(),
            .reason = reason,
            .changes = {}};
}

// What is not valid, or was planted, never becomes a baseline.
std::optional<baselines::GateVerdict> accept_one(plan::Scenario scenario,
                                                 const GateOptions& options,
                                                 const Gating& with,
                                                 const fs::path& folder) {
    const fs::path file = baseline_file(folder, scenario.name);
    const auto before = read_baseline(file);
    const auto report = measure_gate(std::move(scenario), with, {});
    if (!report) return std::nullopt;
    if (!reports::run_is_valid(*report))
        return refused(*report, file, reports::run_reasons(*report));
    baselines::Baseline now = baselines::baseline_of(*report);
    baselines::GateVerdict verdict = judge_gate(now, *report, {});
    if (verdict.planted)
        return refused(*report, file, {"a fault was planted; no baseline is made of it"});
    verdict.baseline = file.string();
    if (baselines::exit_code(verdict) != 0) return verdict;  // e.g. it does not repeat itself
    baselines::Acceptance acceptance = acceptance_of(*report, options.reason);
    if (before) {
        now.accepted = before->accepted;
        acceptance.changes = baselines::changes(*before, now);
    }
    now.accepted.push_back(acceptance);
    write_baseline(file, now);
    verdict.checks.push_back(
        {"accept",
         "",
         baselines::Outcome::passed,
         {before ? fmt::format("{} changes accepted", acceptance.changes.size())
                 : std::string("the first baseline of this scenario")}});
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
    return options.accept ? accept_one(std::move(scenario), options, with, folder)
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
        scenarios.push_back(load_scenario(text, options.measuring, context));
    const run::Interrupt interrupt;
    reports::Store store = new_store(options.measuring.store, interrupt);
    std::vector<baselines::GateVerdict> all;
    for (plan::Scenario& scenario : scenarios) {
        auto one = verdict_on(std::move(scenario), options,
                              {options.measuring, context, interrupt, store}, folder);
        if (!one) return ExitCode::interrupted;
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
        ->check(CLI::IsMember({"counts", "tokens"}))
        ->type_name("CHECK,...");
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

void add_gate(CLI::App& app, Context& context) {
    auto options = std::make_shared<GateOptions>();
    CLI::App* command =
        app.add_subcommand("gate", "Verdict against the baselines of this repository, for CI");
    add_gate_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  tare gate --only counts,tokens\n"
        "  tare gate decode-64 --format junit --out gate.xml\n"
        "  tare gate decode-64 --accept --reason \"the router is one kernel now\"\n"
        "  tare gate --self-test");
    command->callback([options, &context] {
        context.action = [options, &context] { return gate(*options, context); };
    });
}

}  // namespace scenarios::cli

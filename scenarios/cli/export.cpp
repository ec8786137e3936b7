// SPDX-License-Identifier: Apache-2.0
// tare export [RUN]: a stored run for other tools, every range of it.
#include "reports/export/export.h"

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/export/raw_trial.h"
#include "reports/export/select.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/say.h"

namespace scenarios::cli {

namespace {

struct ExportOptions {
    std::string run, arm, store, out;
    std::string format = "chrome-trace", table, mode;
    std::optional<reports::Id> trial;
};

reports::exports::Selected chosen(const reports::Report& report, const ExportOptions& options) {
    try {
        return reports::exports::select(
            report, {.trial = options.trial, .mode = reports::mode_from(options.mode)});
    } catch (const reports::exports::SelectionError& error) {
        throw UsageError(error.what());
    }
}

void write(const reports::Store& store,
           const reports::Report& report,
           const std::vector<reports::TrialRow>& trials,
           const ExportOptions& options,
           const reports::exports::Sink& sink) {
    if (options.format == "chrome-trace")
        reports::exports::chrome_trace(store, report, trials, sink);
    else if (options.table == "samples")
        reports::exports::csv_samples(store, trials, sink);
    else if (options.table == "kernels")
        reports::exports::csv_kernels(store, trials, sink);
    else
        reports::exports::csv_ranges(store, report, trials, sink);
}

int export_run(const ExportOptions& options) {
    if (options.format != "csv" && !options.table.empty())
        throw UsageError(
            "--table chooses rows of --format csv; a trace has one form. Add "
            "--format csv, or leave --table out");
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    const auto report = load_run(store, options.run, options.arm);
    const auto selected = chosen(report, options);
    OutputFile file(options.out);
    try {
        write(store, report, selected.trials, options,
              [&file](std::string_view piece) { file.write(piece); });
    } catch (const reports::exports::PlaceError& error) {
        throw UsageError(error.what());
    }
    file.finish();
    for (const std::string& note : selected.notes) say(note);
    return ExitCode::pass;
}

void add_options(CLI::App& command, ExportOptions& options) {
    command.add_option("RUN", options.run, "Number of a run (default: the latest)");
    command.add_option("--format", options.format, "What is written")
        ->check(CLI::IsMember({"chrome-trace", "csv"}))
        ->capture_default_str();
    command.add_option("--table", options.table, "Rows of the CSV (default: ranges)")
        ->check(CLI::IsMember({"ranges", "samples", "kernels"}));
    auto* trial = command.add_option("--trial", options.trial, "One trial, valid or not")
                      ->check(CLI::Range(reports::Id{1}, reports::Id{1'000'000'000'000}))
                      ->type_name("N");
    command.add_option("--mode", options.mode, "All valid trials of a mode (default: profiled)")
        ->check(CLI::IsMember({"profiled", "timed"}))
        ->excludes(trial);
    command.add_option("--out", options.out, "Write to FILE instead of stdout")->type_name("FILE");
    add_arm_option(command, options.arm);
    add_store_option(command, options.store);
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand(
        "export", "Write every range of a stored run as a trace or a table for other tools");
    add_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  tare export --out trace.json                open it in ui.perfetto.dev\n"
        "  tare export 7 --trial 31 --out trace.json\n"
        "  tare export 7 --format csv --table kernels");
    command->callback(
        [options, &context] { context.action = [options] { return export_run(*options); }; });
}

}  // namespace scenarios::cli

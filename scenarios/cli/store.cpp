// SPDX-License-Identifier: Apache-2.0
// tare store rebuild|path|check.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/format/printable.h"
#include "reports/compare/keep.h"
#include "reports/ingest/ingest.h"
#include "reports/queries/report_query.h"
#include "reports/store/leftovers.h"
#include "reports/store/raw_files.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/suite_version.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

int path(const std::string& option) {
    const auto folder = reports::store_folder(given(option));
    write_output(fs::absolute(folder).lexically_normal().string() + "\n", "");
    return ExitCode::pass;
}

std::string lines_of(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += sentence + "\n";
    return text;
}

int rebuild(const std::string& option) {
    auto store = open_store(option, reports::Store::Access::read_write);
    const auto rebuilt = reports::ingest::rebuild(store);
    const auto concluded = reports::compare::conclude_again(store, suite_version());
    write_output(engine::format::printable_lines(lines_of(rebuilt.kept)) +
                     engine::format::printable_lines(lines_of(concluded.changed)),
                 "");
    write_output(fmt::format("{}: derived tables of {} trials made again from raw files, verdicts "
                             "of {} comparisons concluded again\n",
                             store.folder().string(), rebuilt.trials, concluded.runs),
                 "");
    return ExitCode::pass;
}

// Reads everything a report reads. "" or why it cannot be read.
std::string why_unreadable(const reports::Store& store, reports::Id run) {
    try {
        reports::load_report(store, run);
        return "";
    } catch (const std::exception& error) {
        return fmt::format("run {}: {}\n", run, error.what());
    }
}

// What is wrong makes the exit code; what was pruned, or is left over, is told.
int check(const std::string& option) {
    const auto store = open_store(option, reports::Store::Access::read_only);
    const auto wrong = reports::store::database_problems(store);
    std::string text = lines_of(wrong);
    const auto runs = store.list();
    int unreadable = 0;
    for (const auto& summary : runs) {
        const std::string why = why_unreadable(store, summary.run.id);
        unreadable += !why.empty();
        text += why;
        if (!fs::exists(store.raw_folder(summary.run.id)))
            text += fmt::format("run {}: no raw files; it is readable and cannot be rebuilt\n",
                                summary.run.id);
    }
    const auto raw = reports::store::raw_file_problems(store);
    for (const auto& problem : raw) text += problem.text + "\n";
    const auto left = reports::store::leftovers(store);
    for (const fs::path& path : left)
        text += path.string() +
                ": left by a run that was cut off; `tare prune --leftovers` "
                "removes it\n";
    text += fmt::format(
        "{}: schema version {}, {} runs, {} unreadable, {} damages, {} leftovers, {} raw files "
        "gone "
        "or different\n",
        store.folder().string(), store.schema_version(), runs.size(), unreadable, wrong.size(),
        left.size(), raw.size());
    write_output(engine::format::printable_lines(text), "");
    return unreadable == 0 && wrong.empty() && raw.empty() ? ExitCode::pass : ExitCode::invalid;
}

}  // namespace

void add_store(CLI::App& app, Context& context) {
    auto folder = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("store", "Where results are kept, and whether they are sound");
    command->require_subcommand(1);
    command->footer(
        "Examples:\n"
        "  tare store path\n"
        "  tare store check\n"
        "  tare store rebuild --store results");
    const auto add = [&](const char* name, const char* about, int (*action)(const std::string&)) {
        CLI::App* sub = command->add_subcommand(name, about);
        add_store_option(*sub, *folder);
        sub->footer(fmt::format("Example:\n  tare store {} --store results", name));
        sub->callback([folder, action, &context] {
            context.action = [folder, action] { return action(*folder); };
        });
    };
    add("path", "Print the folder of the store in use", path);
    add("check", "SQLite's checks, every run read, raw files compared; names what is wrong", check);
    add("rebuild", "Make every derived table again from raw files", rebuild);
}

}  // namespace scenarios::cli

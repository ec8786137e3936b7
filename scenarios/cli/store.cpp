// SPDX-License-Identifier: Apache-2.0
// tare store rebuild|path|check.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/ingest/ingest.h"
#include "reports/queries/report_query.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

int path(const std::string& option) {
    const auto folder = reports::store_folder(given(option));
    write_output(fs::absolute(folder).lexically_normal().string() + "\n", "");
    return ExitCode::pass;
}

int rebuild(const std::string& option) {
    auto store = open_store(option, reports::Store::Access::read_write);
    const int trials = reports::ingest::rebuild(store);
    fmt::print("{}: derived tables of {} trials made again from raw files\n",
               store.folder().string(), trials);
    return ExitCode::pass;
}

// Folders below raw/ that belong to no run of the store.
std::vector<std::string> strays(const reports::Store& store,
                                const std::vector<reports::RunSummary>& runs) {
    std::vector<std::string> out;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(store.folder() / "raw", none)) {
        const std::string name = entry.path().filename().string();
        const bool known = std::any_of(runs.begin(), runs.end(), [&](const auto& summary) {
            return std::to_string(summary.run.id) == name;
        });
        if (!known) out.push_back(entry.path().string());
    }
    return out;
}

// Reads everything a report reads, of every run.
int check(const std::string& option) {
    const auto store = open_store(option, reports::Store::Access::read_only);
    const auto runs = store.list();
    int unreadable = 0;
    for (const auto& summary : runs) {
        try {
            reports::load_report(store, summary.run.id);
        } catch (const std::exception& error) {
            ++unreadable;
            fmt::print("run {}: {}\n", summary.run.id, error.what());
        }
        if (!fs::exists(store.raw_folder(summary.run.id)))
            fmt::print("run {}: no raw files; it is readable and cannot be rebuilt\n",
                       summary.run.id);
    }
    for (const std::string& stray : strays(store, runs))
        fmt::print("{}: belongs to no run; delete it by hand\n", stray);
    fmt::print("{}: schema version {}, {} runs, {} unreadable\n", store.folder().string(),
               store.schema_version(), runs.size(), unreadable);
    return unreadable == 0 ? ExitCode::pass : ExitCode::invalid;
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
    add("check", "Read every run of the store and name what is wrong", check);
    add("rebuild", "Make every derived table again from raw files", rebuild);
}

}  // namespace scenarios::cli

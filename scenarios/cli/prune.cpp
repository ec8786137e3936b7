// SPDX-License-Identifier: Apache-2.0
// tare prune: deletes runs, or their raw files alone.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/store/leftovers.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/table.h"

namespace scenarios::cli {

namespace {

struct PruneOptions {
    std::vector<std::string> runs;
    std::optional<int> keep;
    std::string store;
    bool raw_only = false, leftovers = false, dry_run = false;
};

// The runs to delete, oldest first. A run that is still going on is never among them.
std::vector<reports::RunSummary> chosen(const reports::Store& store, const PruneOptions& options) {
    auto all = store.list();
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.run.id < b.run.id; });
    std::vector<reports::RunSummary> out;
    if (options.keep) {
        const auto kept = std::min(all.size(), static_cast<std::size_t>(*options.keep));
        out.assign(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kept));
    }
    for (const std::string& text : options.runs) {
        // An unset variable in a script must never mean the latest run.
        if (text.empty()) throw UsageError("prune: a RUN is empty; name each run by its number");
        const reports::Id id = find_run(store, text);
        const auto same = [&](const auto& summary) { return summary.run.id == id; };
        if (std::none_of(out.begin(), out.end(), same))
            out.push_back(*std::find_if(all.begin(), all.end(), same));
    }
    for (const auto& summary : out)
        if (summary.run.status == "running" && !options.keep)
            throw UsageError(
                fmt::format("run {} is still going on; stop it first", summary.run.id));
    std::erase_if(out, [](const auto& summary) { return summary.run.status == "running"; });
    return out;
}

int prune(const PruneOptions& options) {
    const int asked = options.keep.has_value() + !options.runs.empty() + options.leftovers;
    if (asked != 1)
        throw UsageError(
            "prune wants one of --keep N, the runs to delete, and --leftovers, e.g. "
            "tare prune --keep 10");
    auto store = open_store(options.store, options.dry_run ? reports::Store::Access::read_only
                                                           : reports::Store::Access::read_write);
    const char* doing = options.dry_run ? "would delete" : "deleting";
    const auto runs = chosen(store, options);
    std::vector<reports::Id> ids;
    std::int64_t bytes = 0;
    for (const auto& summary : runs) {
        ids.push_back(summary.run.id);
        bytes += summary.raw_bytes;
        write_output(
            fmt::format("{} run {} ({}, {}){}\n", doing, summary.run.id, summary.scenario,
                        summary.run.started_utc, options.raw_only ? ": raw files only" : ""),
            "");
    }
    if (!options.dry_run) bytes = store.prune(ids, options.raw_only);
    // What runs that were cut off left goes with any pruning.
    for (const auto& path : reports::store::leftovers(store)) {
        if (options.dry_run) bytes += reports::store::bytes_below(path);
        write_output(fmt::format("{} {}: left by a run that was cut off\n", doing, path.string()),
                     "");
    }
    if (!options.dry_run) bytes += reports::store::remove_leftovers(store);
    write_output(fmt::format("{} runs, {} {}\n", ids.size(), mebibytes(static_cast<double>(bytes)),
                             options.dry_run ? "would be freed" : "freed"),
                 "");
    return ExitCode::pass;
}

}  // namespace

void add_prune(CLI::App& app, Context& context) {
    auto options = std::make_shared<PruneOptions>();
    CLI::App* command = app.add_subcommand("prune", "Delete runs, or their raw files alone");
    command->add_option("RUN", options->runs, "Runs to delete, by number");
    command->add_option("--keep", options->keep, "Delete all but the N latest runs")
        ->type_name("N")
        ->check(CLI::Range(0, 1'000'000));
    command->add_flag("--raw-only", options->raw_only,
                      "Keep the figures, delete raw files; such a run cannot be rebuilt");
    command->add_flag("--leftovers", options->leftovers,
                      "Delete nothing but what runs that were cut off left behind");
    command->add_flag("--dry-run", options->dry_run, "Say what would be deleted, delete nothing");
    add_store_option(*command, options->store);
    command->footer(
        "Examples:\n"
        "  tare prune --keep 20 --dry-run\n"
        "  tare prune 3 4 5\n"
        "  tare prune --leftovers\n"
        "  tare prune --keep 5 --raw-only");
    command->callback(
        [options, &context] { context.action = [options] { return prune(*options); }; });
}

}  // namespace scenarios::cli

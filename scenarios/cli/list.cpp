// SPDX-License-Identifier: Apache-2.0
// tare list: the runs of a store.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/table.h"

namespace scenarios::cli {

namespace {

using nlohmann::json;

struct ListOptions {
    std::string store, format = "table";
};

std::string trials_text(const reports::RunSummary& of) {
    return fmt::format("{} of {}{}", of.valid_trials, of.trials - of.void_trials,
                       of.void_trials > 0 ? fmt::format(", {} void", of.void_trials) : "");
}

std::vector<Row> as_rows(const std::vector<reports::RunSummary>& runs) {
    std::vector<Row> rows = {{"run", "started", "scenario", "backend", "status", "verdict", "arms",
                              "valid trials", "commit", "raw", "machine class"}};
    for (const auto& summary : runs)
        rows.push_back({std::to_string(summary.run.id), summary.run.started_utc, summary.scenario,
                        summary.run.backend, summary.run.status, summary.verdict.value_or("-"),
                        std::to_string(summary.arms), trials_text(summary),
                        summary.commit ? summary.commit->substr(0, 12) : "-",
                        mebibytes(static_cast<double>(summary.raw_bytes)), summary.machine_class});
    return rows;
}

std::string as_json(const std::vector<reports::RunSummary>& runs) {
    json list = json::array();
    for (const auto& summary : runs)
        list.push_back({{"run", summary.run.id},
                        {"started_utc", summary.run.started_utc},
                        {"scenario", summary.scenario},
                        {"backend", summary.run.backend},
                        {"status", summary.run.status},
                        {"note", summary.run.note},
                        {"kind", summary.run.kind},
                        {"verdict", summary.verdict ? json(*summary.verdict) : json()},
                        {"exit_code", summary.exit_code ? json(*summary.exit_code) : json()},
                        {"arms", summary.arms},
                        {"trials", summary.trials},
                        {"valid_trials", summary.valid_trials},
                        {"void_trials", summary.void_trials},
                        {"commit", summary.commit ? json(*summary.commit) : json()},
                        {"raw_bytes", summary.raw_bytes},
                        {"machine_class", summary.machine_class}});
    return json({{"schema", "tare.list/1"}, {"runs", list}})
               .dump(-1, ' ', false, json::error_handler_t::replace) +
           "\n";
}

int list(const ListOptions& options) {
    const auto runs = open_store(options.store, reports::Store::Access::read_only).list();
    const std::string text = options.format == "json"       ? as_json(runs)
                             : options.format == "csv"      ? csv(as_rows(runs))
                             : options.format == "markdown" ? markdown(as_rows(runs))
                                                            : aligned(as_rows(runs));
    write_output(text, "");
    return ExitCode::pass;
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
    auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand("list", "The runs of a store");
    add_store_option(*command, options->store);
    add_format_option(*command, options->format);
    command->footer(
        "Examples:\n"
        "  tare list\n"
        "  tare list --format json --store results");
    command->callback(
        [options, &context] { context.action = [options] { return list(*options); }; });
}

}  // namespace scenarios::cli

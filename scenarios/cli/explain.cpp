// SPDX-License-Identifier: Apache-2.0
// tare explain [RUN]: a comparison's verdict in plain sentences.
#include <memory>

#include <CLI/CLI.hpp>

#include "reports/render/verdict.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/verdict_output.h"

namespace scenarios::cli {

namespace {

struct ExplainOptions {
    std::string run, store;
};

int explain(const ExplainOptions& options) {
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    const auto report = load_verdict(store, options.run);
    write_output(reports::render::verdict_words(report, render_options({}).width), "");
    return ExitCode::pass;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = app.add_subcommand("explain", "A comparison's verdict in plain sentences");
    command->add_option("RUN", options->run,
                        "Number of a run of tare ab (default: the latest run)");
    add_store_option(*command, options->store);
    command->footer(
        "Examples:\n"
        "  tare explain\n"
        "  tare explain 8");
    command->callback(
        [options, &context] { context.action = [options] { return explain(*options); }; });
}

}  // namespace scenarios::cli

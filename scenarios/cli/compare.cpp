// SPDX-License-Identifier: Apache-2.0
// tare compare RUN_A RUN_B: two stored runs side by side. They were not interleaved: no verdict.
#include <memory>

#include <CLI/CLI.hpp>

#include "reports/queries/report_query.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"

namespace scenarios::cli {

namespace {

struct CompareOptions {
    std::string a, b, store;
    OutputOptions output;
};

int compare(const CompareOptions& options) {
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    const auto a = reports::load_report(store, find_run(store, options.a));
    const auto b = reports::load_report(store, find_run(store, options.b));
    try {
        write_output(reports::render::compare(a, b, render_options(options.output)),
                     options.output.out);
    } catch (const std::invalid_argument& error) {  // the scenarios differ
        throw UsageError(error.what());
    }
    return ExitCode::pass;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command =
        app.add_subcommand("compare", "Two stored runs of one scenario side by side, no verdict");
    command->add_option("RUN_A", options->a, "Number of a run, or latest")->required();
    command->add_option("RUN_B", options->b, "Number of a run, or latest")->required();
    add_store_option(*command, options->store);
    add_output_options(*command, options->output);
    command->footer(
        "Examples:\n"
        "  tare compare 6 7\n"
        "  tare compare 6 latest --format json");
    command->callback(
        [options, &context] { context.action = [options] { return compare(*options); }; });
}

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
// tare report [RUN]: the breakdown of a stored run.
#include <memory>

#include <CLI/CLI.hpp>

#include "reports/compare/compare.h"
#include "reports/render/html.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"

namespace scenarios::cli {

namespace {

struct ReportOptions {
    std::string run, arm, store;
    OutputOptions output;
};

int report(const ReportOptions& options) {
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    const auto loaded = load_run(store, options.run, options.arm);
    // A comparison's page is headed by its verdict.
    if (options.output.format == "html" && loaded.run.kind == "ab" && !loaded.other_arms.empty()) {
        const auto verdict = reports::compare::load_comparison(store, loaded.run.id);
        write_output(reports::render::comparison_html(verdict, loaded), options.output.out);
        return ExitCode::pass;
    }
    write_output(reports::render::report(loaded, render_options(options.output)),
                 options.output.out);
    return ExitCode::pass;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command = app.add_subcommand("report", "Print the breakdown of a stored run");
    command->add_option("RUN", options->run, "Number of a run (default: the latest)");
    add_arm_option(*command, options->arm);
    add_store_option(*command, options->store);
    add_output_options(*command, options->output);
    command->footer(
        "Examples:\n"
        "  tare report\n"
        "  tare report 7 --by-path --top 0\n"
        "  tare report --arm dense\n"
        "  tare report latest --format json\n"
        "  tare report 8 --format html --out 8.html   (of tare ab: with verdict and plots)");
    command->callback(
        [options, &context] { context.action = [options] { return report(*options); }; });
}

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
// tare compare RUN_A RUN_B: two stored runs side by side. They were not interleaved: no verdict.
// tare compare RUN: the arms of one run, with the verdict that its interleaved rounds give.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/verdict_output.h"

namespace scenarios::cli {

namespace {

struct CompareOptions {
    std::string a, b, arm, store;
    OutputOptions output;
};

int compare_arms_of(const reports::Store& store, const CompareOptions& options) {
    const VerdictOutput output{options.output.format, options.output.out, options.output.top};
    if (output.format == "csv")
        throw UsageError(
            "--format csv is of two runs; the arms of one are written as table, markdown, json, "
            "html, junit or github");
    write_output(render_verdict(store, load_verdict(store, options.a), output), output.out);
    return ExitCode::pass;
}

int compare(const CompareOptions& options) {
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    if (options.b.empty()) return compare_arms_of(store, options);
    if (options.output.format == "junit" || options.output.format == "github" ||
        options.output.format == "html")
        throw UsageError(fmt::format(
            "--format {} needs a verdict, and two runs that were not interleaved have none; use "
            "table, markdown, csv or json",
            options.output.format));
    const auto a = load_run(store, options.a, options.arm);
    const auto b = load_run(store, options.b, options.arm);
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
        app.add_subcommand("compare", "Two stored runs side by side, or the arms of one");
    command->add_option("RUN_A", options->a, "Number of a run, or latest")->required();
    command->add_option("RUN_B", options->b,
                        "The same; without it the arms of RUN_A, with a verdict");
    add_arm_option(*command, options->arm);
    add_store_option(*command, options->store);
    command->add_option("--format", options->output.format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json", "html", "junit", "github"}))
        ->capture_default_str();
    command->add_option("--out", options->output.out, "Write to FILE instead of stdout")
        ->type_name("FILE");
    command->add_option("--top", options->output.top, "Kernel rows in a table or markdown; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  tare compare 6 7\n"
        "  tare compare 8 --format markdown     (a run of tare ab)\n"
        "  tare compare 6 latest --format json");
    command->callback(
        [options, &context] { context.action = [options] { return compare(*options); }; });
}

}  // namespace scenarios::cli

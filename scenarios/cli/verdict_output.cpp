// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/verdict_output.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/compare/compare.h"
#include "reports/compare/keep.h"
#include "reports/queries/report_query.h"
#include "reports/render/html.h"
#include "reports/render/verdict.h"
#include "reports/store/verdict.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/cli/suite_version.h"

namespace scenarios::cli {

void add_verdict_output(CLI::App& command, VerdictOutput& output) {
    command.add_option("--format", output.format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "json", "html", "junit", "github"}))
        ->capture_default_str();
    command.add_option("--out", output.out, "Write to FILE instead of stdout")->type_name("FILE");
    command.add_option("--top", output.top, "Lines of the blame table; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
}

void check_verdict_output(const VerdictOutput& output, std::size_t comparisons) {
    check_output_file(output.out);
    const bool holds_one =
        output.format == "json" || output.format == "junit" || output.format == "html";
    if (holds_one && comparisons > 1)
        throw UsageError(fmt::format(
            "--format {} holds one comparison, and {} scenarios were given; run them one by one",
            output.format, comparisons));
}

namespace {

// Other versions may judge by other rules; the same one gives the same rows.
void say_if_concluded_otherwise(const reports::Store& store,
                                const reports::ComparisonReport& report) {
    const auto stored = reports::store::verdict_of(store, report.run.id);
    if (!stored || stored->kind != "ab" ||
        same_conclusion(*stored, reports::compare::stored_verdict(report, suite_version())))
        return;
    say(
        fmt::format("run {} was concluded as {} (exit {}) by {}; what follows is concluded by this "
                    "tare, which `tare store rebuild` would keep",
                    report.run.id, stored->verdict, stored->exit_code, stored->suite_version));
}

}  // namespace

reports::ComparisonReport load_verdict(const reports::Store& store, const std::string& run) {
    const reports::Id id = find_run(store, run);
    try {
        auto report = reports::compare::load_comparison(store, id);
        say_if_concluded_otherwise(store, report);
        return report;
    } catch (const reports::compare::OneArm& error) {
        throw UsageError(error.what());
    }
}

std::string render_verdict(const reports::Store& store,
                           const reports::ComparisonReport& report,
                           const VerdictOutput& output) {
    using reports::render::VerdictFormat;
    if (output.format == "html")
        return reports::render::comparison_html(report, reports::load_report(store, report.run.id));
    const auto common =
        render_options({.format = "table", .out = output.out, .top = output.top, .by_path = false});
    reports::render::VerdictOptions options{
        .color = common.color, .width = common.width, .top = output.top};
    options.format = output.format == "json"       ? VerdictFormat::json
                     : output.format == "markdown" ? VerdictFormat::markdown
                     : output.format == "junit"    ? VerdictFormat::junit
                     : output.format == "github"   ? VerdictFormat::github
                                                   : VerdictFormat::table;
    return reports::render::verdict(report, options);
}

}  // namespace scenarios::cli

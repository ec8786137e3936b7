// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/arms_asked.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "scenarios/plan/margin.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

std::vector<plan::Metric> metrics_of(const plan::Scenario& scenario,
                                     const std::vector<std::string>& given) {
    std::vector<plan::Metric> metrics = scenario.metrics;
    for (const std::string& text : given) {
        const plan::Metric metric = plan::parse_margin(text, scenario.workload);
        const auto same = std::find_if(metrics.begin(), metrics.end(),
                                       [&](const auto& one) { return one.name == metric.name; });
        if (same == metrics.end())
            metrics.push_back(metric);
        else
            *same = metric;
    }
    return metrics;
}

// A reused build must say by itself which commit it is: nothing else knows.
build::AtHand at_hand(const run::Options& options, const run::Interrupt& interrupt) {
    if (options.scenario.workload == plan::Workload::command)
        return {options.engine, std::nullopt, false};
    const auto greeting = run::greet(options, run::greeting_time_limit_s, interrupt.fd());
    build::AtHand out{options.engine, std::nullopt, false};
    if (!greeting.hello) return out;
    out.commit = greeting.hello->commit;
    out.is_clean = !greeting.hello->dirty_diff_sha256.has_value();
    return out;
}

std::vector<run::ArmUnderTest> arms_under_test(const std::vector<build::ArmSpec>& specs,
                                               const run::Options& options,
                                               const fs::path& store,
                                               const run::Interrupt& interrupt,
                                               run::Progress& progress) {
    const build::Workshop workshop{.from = fs::current_path(),
                                   .cache = store / "builds",
                                   .recipe = options.scenario.build,
                                   .at_hand = at_hand(options, interrupt)};
    std::vector<run::ArmUnderTest> arms;
    for (const build::ReadyArm& arm : build::ready_arms(
             specs, workshop, interrupt, [&](const std::string& text) { progress.notice(text); })) {
        if (!arm.why_invalid.empty())
            progress.notice(
                fmt::format("arm {} cannot be measured: {}", arm.name, arm.why_invalid));
        arms.push_back({.words = {.name = arm.name,
                                  .arguments = arm.spec.arguments,
                                  .environment = arm.spec.environment,
                                  .about = {}},
                        .engine = arm.program,
                        .spec = arm.spec.text,
                        .why_invalid = arm.why_invalid});
    }
    return arms;
}

int profiled_rounds_of(const plan::Scenario& scenario, int usual) {
    const bool profiles =
        scenario.workload != plan::Workload::command || scenario.profiled_rounds > 0;
    return profiles ? usual : 0;
}

run::Decided decided(reports::Store& store,
                     const run::Options& options,
                     const run::RoundsPlan& plan) {
    reports::compare::Margins margins;
    for (const plan::Metric& metric : options.metrics) margins[metric.name] = metric.margin;
    std::vector<std::string> names;
    for (const run::ArmUnderTest& arm : options.arms)
        if (arm.why_invalid.empty()) names.push_back(arm.words.name);
    return [&store, margins, names, looks = plan.looks](reports::Id run, int rounds) {
        return reports::compare::is_decided(store, run, rounds, names, looks, margins);
    };
}

}  // namespace scenarios::cli

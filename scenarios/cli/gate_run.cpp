// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/gate_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "baselines/gate/exact.h"
#include "reports/queries/report_query.h"
#include "reports/store/verdict.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/run/run.h"

namespace scenarios::cli {

namespace {

run::Options options_of(plan::Scenario scenario, const Gating& with, const GateTrials& trials) {
    const int profiled = profiled_rounds_of(scenario, trials.profiled);
    run::Options out = common_options(std::move(scenario), with.measuring, with.context,
                                      trials.kind, trials.timed, profiled);
    check_programs(out);
    out.engine_arguments.insert(out.engine_arguments.end(), trials.arguments.begin(),
                                trials.arguments.end());
    out.time_limit_s = trials.time_limit_s;
    out.arms = run::arms_of(out);
    for (run::ArmUnderTest& arm : out.arms)
        arm.words.environment.insert(trials.environment.begin(), trials.environment.end());
    return out;
}

bool is_planted(const reports::Report& report) {
    for (const reports::Report* arm : reports::arms_of(report))
        for (const reports::TrialRow& row : arm->trials)
            if (row.trial.planted) return true;
    return false;
}

void add(std::vector<baselines::Check> from, std::vector<baselines::Check>& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

std::optional<GateRun> run_gate(plan::Scenario scenario,
                                const Gating& with,
                                const GateTrials& trials) {
    const run::Options options = options_of(std::move(scenario), with, trials);
    run::Progress progress(run::Progress::style_of_stderr(with.measuring.quiet));
    const run::Result result = run::run_scenario(with.store, options, with.interrupt, progress);
    if (result.interrupted || !result.run) {
        progress.notice(result.run ? fmt::format("interrupted; run {} keeps its {} trials",
                                                 *result.run, result.trials)
                                   : std::string("interrupted before the first trial"));
        return std::nullopt;
    }
    if (result.refused)
        throw UsageError(
            fmt::format("{}. Run {} keeps what there is", result.stopped_early, *result.run));
    return GateRun{reports::load_report(with.store, *result.run), result.warm_up_ns};
}

std::optional<reports::Report> measure_gate(plan::Scenario scenario,
                                            const Gating& with,
                                            const GateTrials& trials) {
    auto ran = run_gate(std::move(scenario), with, trials);
    if (!ran) return std::nullopt;
    return std::move(ran->report);
}

baselines::GateVerdict judge_gate(const baselines::Baseline& baseline,
                                  const reports::Report& report,
                                  const ExactChecks& which) {
    baselines::GateVerdict out{.scenario = report.scenario.name,
                               .run = report.run.id,
                               .baseline = {},
                               .planted = is_planted(report),
                               .checks = {}};
    const std::string other = baselines::why_not_comparable(baseline, report);
    if (!other.empty()) {
        out.checks.push_back({"baseline", "", baselines::Outcome::invalid, {other}});
        return out;
    }
    if (which.counts) add(baselines::check_counts(baseline, report), out.checks);
    if (which.tokens) add(baselines::check_tokens(baseline, report), out.checks);
    return out;
}

void keep_gate_verdict(reports::Store& store, const baselines::GateVerdict& verdict) {
    if (verdict.run == 0) return;
    reports::StoredVerdict kept{.kind = "gate",
                                .verdict = baselines::name(baselines::outcome_of(verdict)),
                                .exit_code = baselines::exit_code(verdict),
                                .reasons = {},
                                .suite_version = suite_version(),
                                .metrics = {}};
    for (const baselines::Check& check : verdict.checks) {
        reports::StoredMetricVerdict one{.a = "", .b = check.arm, .name = check.name};
        one.verdict = baselines::name(check.outcome);
        one.reason = fmt::format("{}", fmt::join(check.reasons, "\n"));
        if (check.outcome == baselines::outcome_of(verdict))
            kept.reasons.insert(kept.reasons.end(), check.reasons.begin(), check.reasons.end());
        kept.metrics.push_back(std::move(one));
    }
    reports::store::replace_verdict(store, verdict.run, kept);
}

}  // namespace scenarios::cli

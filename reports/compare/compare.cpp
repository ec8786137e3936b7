// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/compare.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/compare/blame.h"
#include "reports/compare/outputs.h"
#include "reports/compare/validity.h"
#include "reports/queries/report_query.h"
#include "reports/records/tokens.h"

namespace reports::compare {
namespace {

using nlohmann::json;

struct FrozenPlan {
    std::vector<int> looks;
    Margins margins;
    std::string calibration = "uncalibrated";
};

// Written by the suite itself; what a damaged store holds instead is an error, not a crash.
FrozenPlan read_plan(const Plan& plan) {
    const json whole = json::parse(plan.json, nullptr, false);
    FrozenPlan out;
    try {
        for (const auto& [name, metric] : whole.at("metrics").items())
            out.margins[name] = metric.at("margin").get<double>();
        if (whole.contains("looks")) out.looks = whole.at("looks").get<std::vector<int>>();
        out.calibration = whole.value("calibration", out.calibration);
    } catch (const json::exception& error) {
        throw StoreError(fmt::format("the plan of the run is damaged: {}", error.what()));
    }
    return out;
}

int most_rounds(const std::vector<MetricSeries>& series) {
    std::size_t most = 0;
    for (const MetricSeries& one : series)
        for (const auto& [arm, values] : one.arms) most = std::max(most, values.size());
    return static_cast<int>(most);
}

// Looks beyond the rounds that were run stay: what was planned is what alpha was divided by.
stats::Plans plans_of(const FrozenPlan& plan, const std::vector<MetricSeries>& series) {
    std::vector<int> looks = plan.looks;
    if (looks.empty()) looks = {std::max(1, most_rounds(series))};
    return stats::plans_for(looks, std::max(1, gated(series, plan.margins)));
}

ArmSummary summary_of(const Report& report) {
    ArmSummary out{.name = report.arm.name,
                   .spec = report.arm.spec.empty() ? report.arm.about : report.arm.spec,
                   .commit = report.build.commit,
                   .dirty_diff_sha256 = report.build.dirty_diff_sha256,
                   .compiler = report.build.compiler,
                   .binary_sha256 = report.build.binary_sha256,
                   .why_invalid = report.arm.why_invalid};
    for (const TrialRow& row : report.trials) {
        out.planted = out.planted || row.trial.planted;
        if (!row.trial.voided.empty()) continue;
        if (row.trial.valid) {
            ++(row.trial.mode == Mode::timed ? out.timed : out.profiled);
            continue;
        }
        ++out.failed;
        constexpr std::size_t shown = 3;
        if (out.first_failures.size() < shown) out.first_failures.push_back(row.trial.reason);
    }
    return out;
}

// Blocks that were begun and do not count, in order.
std::vector<ReplacedBlock> replaced_blocks(const std::vector<const Report*>& arms) {
    std::map<std::pair<int, Mode>, ReplacedBlock> blocks;
    for (const Report* arm : arms)
        for (const TrialRow& row : arm->trials) {
            const Trial& trial = row.trial;
            if (trial.valid || !trial.voided.empty()) continue;
            const int block = trial.round / 2;
            blocks.try_emplace({block, trial.mode},
                               ReplacedBlock{block, trial.mode, arm->arm.name, trial.reason});
        }
    std::vector<ReplacedBlock> out;
    for (auto& [key, block] : blocks) out.push_back(std::move(block));
    return out;
}

int rounds_of(const std::vector<ReplacedBlock>& replaced) {
    std::set<int> blocks;
    for (const ReplacedBlock& one : replaced) blocks.insert(one.block);
    return 2 * static_cast<int>(blocks.size());
}

int void_trials(const std::vector<const Report*>& arms) {
    int count = 0;
    for (const Report* arm : arms)
        for (const TrialRow& row : arm->trials) count += !row.trial.voided.empty();
    return count;
}

std::string why_invalid(const ComparisonReport& report, int planned_rounds) {
    std::vector<ArmFailures> failures;
    for (const ArmSummary& arm : report.arms)
        if (arm.why_invalid.empty())
            failures.push_back(
                {arm.name, arm.failed, arm.first_failures.empty() ? "" : arm.first_failures[0]});
    return why_not_comparable(failures, report.replaced_rounds, planned_rounds);
}

std::string measured_names(const std::vector<MetricSeries>& series) {
    std::string names;
    for (const MetricSeries& one : series) names += (names.empty() ? "" : ", ") + one.margin_key();
    return names.empty() ? "nothing" : names;
}

// A margin of what nobody measured must not pass for a metric that stayed the same.
void add_unmeasured(const Margins& margins,
                    const std::vector<MetricSeries>& series,
                    PairVerdict& pair) {
    for (const auto& [key, margin] : margins) {
        const bool is_measured = std::any_of(
            series.begin(), series.end(), [&](const auto& one) { return one.margin_key() == key; });
        if (is_measured) continue;
        MetricVerdict missing{.name = key};
        missing.margin = margin;
        missing.verdict = Verdict::inconclusive;
        missing.reason = fmt::format(
            "it has a margin and no round measured it; measured: {}. What is exact needs no margin",
            measured_names(series));
        pair.metrics.insert(pair.metrics.begin(), std::move(missing));
    }
}

PairVerdict pair_of(const Report& a,
                    const Report& b,
                    const Observations& observations,
                    const FrozenPlan& plan,
                    const stats::Plans& plans) {
    PairVerdict out{.a = a.arm.name, .b = b.arm.name};
    out.metrics = judge_metrics(observations.metrics, out.a, out.b, plan.margins, plans);
    if (!observations.metrics.empty()) add_unmeasured(plan.margins, observations.metrics, out);
    Blame blame = find_blame(observations.kernels, out.a, out.b);
    out.roles = std::move(blame.roles);
    out.kernels = std::move(blame.kernels);
    out.paths = std::move(blame.paths);
    out.unsteady = std::move(blame.unsteady);
    out.waterfalls = waterfalls(observations, out.a, out.b, out.metrics);
    out.counts = compare_counts(a, b);
    out.tokens = compare_tokens(a, b);
    return out;
}

// Of the rounds that any metric has.
void keep_first(int rounds, std::vector<MetricSeries>& series) {
    std::set<int> all;
    for (const MetricSeries& one : series)
        for (const auto& [arm, values] : one.arms)
            for (const Observation& value : values) all.insert(value.round);
    if (std::ssize(all) <= rounds) return;
    const int end = *std::next(all.begin(), rounds);
    for (MetricSeries& one : series)
        for (auto& [arm, values] : one.arms)
            std::erase_if(values, [&](const Observation& value) { return value.round >= end; });
}

// Each arm against the first, and against the one before it.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::size_t arms) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = 1; i < arms; ++i) {
        out.emplace_back(0, i);
        if (i > 1) out.emplace_back(i - 1, i);
    }
    return out;
}

void conclude_all(ComparisonReport& out, const std::string& invalid) {
    static constexpr Verdict worst_first[] = {Verdict::invalid, Verdict::regressed,
                                              Verdict::inconclusive, Verdict::improved,
                                              Verdict::same};
    for (PairVerdict& pair : out.pairs) conclude(pair, out.arms, invalid);
    const auto take = [&](const PairVerdict& pair) {
        out.verdict = pair.verdict;
        out.exit_code = pair.exit_code;
        out.reasons = pair.reasons;
    };
    // What must be equal and is not needs no valid timing: it comes before everything.
    for (const PairVerdict& pair : out.pairs)
        if (pair.exact_regressed) return take(pair);
    for (const Verdict verdict : worst_first)
        for (const PairVerdict& pair : out.pairs)
            if (pair.verdict == verdict) return take(pair);
}

}  // namespace

bool is_decided(const Store& store,
                Id run,
                int rounds,
                const std::vector<std::string>& arms,
                const std::vector<int>& looks,
                const Margins& margins) {
    auto series = load_metric_series(store, run);
    keep_first(rounds, series);
    const stats::Plans plans = plans_of({.looks = looks, .margins = margins}, series);
    const auto pairs = pairs_of(arms.size());
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return all_decided(
            judge_metrics(series, arms[pair.first], arms[pair.second], margins, plans));
    });
}

ComparisonReport load_comparison(const Store& store, Id run) {
    const Report report = load_report(store, run);
    const auto arms = arms_of(report);
    if (arms.size() < 2)
        throw OneArm(fmt::format(
            "run {} has one arm, and a comparison needs two; `tare ab` makes such runs", run));
    const FrozenPlan plan = read_plan(report.plan);
    const Observations observations = load_observations(store, run);
    const stats::Plans plans = plans_of(plan, observations.metrics);
    ComparisonReport out{.run = report.run,
                         .scenario = report.scenario,
                         .machine = report.machine,
                         .plan = {.looks = plan.looks,
                                  .profiled_rounds = report.plan.profiled_rounds,
                                  .alpha = plans.same.alpha,
                                  .seed = report.plan.seed,
                                  .gated = gated(observations.metrics, plan.margins),
                                  .calibration = plan.calibration},
                         .conditions = report.conditions};
    for (const Report* arm : arms) out.arms.push_back(summary_of(*arm));
    out.rounds = most_rounds(observations.metrics);
    out.replaced = replaced_blocks(arms);
    out.replaced_rounds = rounds_of(out.replaced);
    out.void_trials = void_trials(arms);
    for (const auto& [a, b] : pairs_of(arms.size()))
        out.pairs.push_back(pair_of(*arms[a], *arms[b], observations, plan, plans));
    conclude_all(out, why_invalid(out, plans.same.most_rounds()));
    return out;
}

}  // namespace reports::compare

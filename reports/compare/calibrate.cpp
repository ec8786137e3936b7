// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "reports/queries/report_query.h"
#include "reports/stats/honest_margin.h"
#include "reports/stats/summary.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::compare {
namespace {

// As honest_margin.h has them.
std::vector<stats::OrderedRound> ordered(const CalibratedMetric& metric) {
    std::vector<stats::OrderedRound> out;
    for (const CalibrationRound& one : metric.rounds)
        out.push_back({one.worse, one.a_first, one.block});
    return out;
}

stats::CalibrationSetting setting_of(const CalibrationPlan& plan,
                                     const std::vector<int>& looks,
                                     int gated) {
    return {.plans = stats::plans_for(looks, std::max(1, gated)),
            .seed = plan.seed,
            .series = plan.series,
            .goal = plan.goal};
}

Spread values_of(const MetricSeries& series) {
    std::vector<double> all;
    for (const auto& [arm, values] : series.arms)
        for (const Observation& one : values) all.push_back(one.value);
    return stats::spread(all).value_or(Spread{});
}

// False alarms at the margin that is gated; where none is, or it would be refused, at the honest
// one.
void count_alarms(const stats::CalibrationSetting& setting, CalibratedMetric& out) {
    const double margin = std::max(out.margin.value_or(0), out.honest_margin.value_or(0));
    if (!(margin > 0)) return;
    const auto seen = stats::false_alarms(ordered(out), std::log1p(margin), setting);
    if (!seen) return;
    out.alarms = FalseAlarmCount{.margin = margin,
                                 .resampled = seen->resampled,
                                 .resampled_alarms = seen->resampled_alarms,
                                 .whole = seen->whole,
                                 .whole_alarms = seen->whole_alarms};
}

void set_margins(const stats::CalibrationSetting& setting, CalibratedMetric& out) {
    const auto honest = stats::honest_margin(ordered(out), setting);
    if (!honest) {
        out.reason = "fewer than 24 rounds in whole blocks";
        return;
    }
    out.sigma = honest->sigma;
    out.honest_margin = std::expm1(honest->margin);
    if (honest->detected) out.detected = std::expm1(*honest->detected);
}

CalibratedMetric metric_of(const MetricSeries& series,
                           const std::string& a,
                           const std::string& b,
                           const Margins& margins,
                           const stats::CalibrationSetting& setting) {
    CalibratedMetric out{.key = series.margin_key(),
                         .name = series.name(),
                         .unit = series.unit,
                         .direction = series.direction,
                         .values = values_of(series)};
    if (const auto found = margins.find(out.key); found != margins.end())
        out.margin = found->second;
    const PairedRounds paired = paired_rounds(series, a, b);
    if (paired.sample.scale != stats::Scale::log_ratio) {
        out.reason = paired.sample.reason + "; a margin as a share says nothing about it";
        return out;
    }
    for (const stats::OrderedRound& one : paired.rounds)
        out.rounds.push_back({one.worse, one.a_first, one.block});
    set_margins(setting, out);
    count_alarms(setting, out);
    return out;
}

double deviation(const std::vector<double>& values) {
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    const double n = static_cast<double>(values.size()), mean = sum / n;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (n - 1));
}

using ByRound = std::map<int, double>;

std::optional<CalibratedKernel> kernel_of(CalibratedKernel out,
                                          const ByRound& of_a,
                                          const ByRound& of_b) {
    std::vector<double> ratios, times;
    for (const auto& [round, a_ns] : of_a) {
        const auto found = of_b.find(round);
        if (found == of_b.end() || !(a_ns > 0) || !(found->second > 0)) continue;
        ratios.push_back(std::log(found->second / a_ns));
        times.insert(times.end(), {a_ns, found->second});
    }
    if (ratios.size() < 2) return std::nullopt;
    out.rounds = static_cast<int>(ratios.size());
    out.median_ns = *stats::median(times);
    out.sigma = deviation(ratios);
    return out;
}

// All layers together: a kernel at one path takes too little time to say much.
std::vector<CalibratedKernel> kernels_of(const std::vector<KernelSeries>& series,
                                         const std::string& a,
                                         const std::string& b) {
    std::map<std::tuple<std::string, std::string, std::string>, std::pair<ByRound, ByRound>> sums;
    for (const KernelSeries& one : series)
        for (const auto& [arm, values] : one.arms)
            for (const KernelSeries::Value& value : values) {
                auto& [of_a, of_b] = sums[{one.phase, one.family, one.kernel}];
                if (arm == a) of_a[value.round] += value.total_ns;
                if (arm == b) of_b[value.round] += value.total_ns;
            }
    std::vector<CalibratedKernel> out;
    for (const auto& [key, rounds] : sums) {
        const auto& [phase, path, kernel] = key;
        if (const auto one = kernel_of({phase, path, kernel}, rounds.first, rounds.second))
            out.push_back(*one);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& x, const auto& y) { return x.median_ns > y.median_ns; });
    return out;
}

std::vector<CalibratedCount> load_counts(const Store& store, Id run) {
    std::vector<CalibratedCount> out;
    store::Statement row =
        store.impl().database.prepare(store::embedded("queries/repeated_count.sql"));
    row.bind({run});
    while (row.step()) {
        const auto phase = row.text("phase");
        const double least = row.need_real("least");
        out.push_back({.name = (phase ? *phase + "." : "") + row.need_text("name"),
                       .unit = row.need_text("unit"),
                       .value = {}});
        if (least == row.need_real("most")) out.back().value = least;
    }
    return out;
}

std::optional<bool> tokens_repeat(const TokenVerdict& tokens) {
    if (!tokens.identical) return std::nullopt;
    return *tokens.identical && tokens.a_repeats && tokens.b_repeats;
}

std::vector<std::string> why_invalid(const ComparisonReport& report) {
    if (report.verdict == Verdict::invalid) return report.reasons;
    std::vector<std::string> out;
    if (report.run.status != "finished")
        out.push_back(fmt::format("its run is {}{}{}", report.run.status,
                                  report.run.note.empty() ? "" : ": ", report.run.note));
    for (const ArmSummary& arm : report.arms)
        if (arm.planted)
            out.push_back("a fault was planted in arm " + arm.name +
                          "; no calibration is made of it");
    if (report.arms[0].binary_sha256 != report.arms[1].binary_sha256)
        out.emplace_back("the program was replaced while it was measured: its two arms differ");
    return out;
}

int profiled_rounds(const std::vector<CalibratedKernel>& kernels) {
    int most = 0;
    for (const CalibratedKernel& one : kernels) most = std::max(most, one.rounds);
    return most;
}

Calibration head_of(const Report& report, const ComparisonReport& seen) {
    return {.run = report.run.id,
            .machine_class = report.machine.machine_class,
            .scenario = report.scenario.name,
            .scenario_sha256 = report.scenario.sha256,
            .backend = report.run.backend,
            .arm = report.arm.spec,
            .calibrated_utc = report.run.started_utc,
            .commit = report.build.commit,
            .dirty_diff_sha256 = report.build.dirty_diff_sha256,
            .binary_sha256 = report.build.binary_sha256,
            .rounds = seen.rounds,
            .replaced_rounds = seen.replaced_rounds,
            .tokens_repeat = tokens_repeat(seen.pairs.at(0).tokens),
            .reasons = why_invalid(seen)};
}

Margins margins_of(const ComparisonReport& seen, const std::vector<MetricSeries>& series) {
    Margins out;
    for (const MetricVerdict& one : seen.pairs.at(0).metrics)
        for (const MetricSeries& measured : series)
            if (one.margin && measured.name() == one.name) out[measured.margin_key()] = *one.margin;
    return out;
}

}  // namespace

Calibration calibrate(const Store& store, Id run, const std::vector<int>& looks) {
    const ComparisonReport seen = load_comparison(store, run);
    const Report report = load_report(store, run);
    Calibration out = head_of(report, seen);
    if (!out.reasons.empty()) return out;
    const Observations observations = load_observations(store, run);
    const Margins margins = margins_of(seen, observations.metrics);
    out.plan = {.looks = looks,
                .gated = std::max(1, gated(observations.metrics, margins)),
                .seed = report.plan.seed};
    const auto setting = setting_of(out.plan, looks, out.plan.gated);
    const std::string &a = seen.arms[0].name, &b = seen.arms[1].name;
    for (const MetricSeries& series : observations.metrics)
        out.metrics.push_back(metric_of(series, a, b, margins, setting));
    std::stable_partition(out.metrics.begin(), out.metrics.end(),
                          [](const CalibratedMetric& one) { return one.margin.has_value(); });
    out.counts = load_counts(store, run);
    out.kernels = kernels_of(observations.kernels, a, b);
    out.profiled_rounds = profiled_rounds(out.kernels);
    return out;
}

}  // namespace reports::compare

// SPDX-License-Identifier: Apache-2.0
// A run as a baseline of timings, and what a new one changes.
#include <algorithm>

#include <fmt/format.h>

#include "baselines/gate/stored_timings.h"
#include "baselines/gate/timing_checks.h"
#include "baselines/gate/timings.h"
#include "reports/render/text.h"
#include "reports/stats/summary.h"

namespace baselines {
namespace {

constexpr std::size_t hash_digits = 40;

std::vector<TimedMetric> metrics_of(const std::string& arm,
                                    const std::vector<reports::compare::TimedSamples>& samples,
                                    const Margins& margins) {
    std::vector<TimedMetric> out;
    for (const auto& [metric, margin] : margins)
        for (const auto& one : samples)
            if (one.arm == arm && one.key == metric && !one.values.empty())
                out.push_back({.metric = metric,
                               .unit = one.unit,
                               .direction = one.direction,
                               .margin = margin,
                               .samples = one.values});
    return out;
}

// The CPU backend's exact counts are the same on every machine: any/ has them.
std::vector<reports::CountRow> counts_of(const reports::Report& arm) {
    std::vector<reports::CountRow> out;
    if (arm.run.backend == "cpu") return out;
    std::copy_if(arm.counts.begin(), arm.counts.end(), std::back_inserter(out),
                 [](const reports::CountRow& row) { return row.exact; });
    return out;
}

std::optional<UsedCalibration> used(const std::optional<reports::Calibration>& calibration) {
    if (!calibration) return std::nullopt;
    UsedCalibration out{.calibrated_utc = calibration->calibrated_utc,
                        .rounds = calibration->rounds,
                        .margins = {}};
    for (const reports::CalibratedMetric& metric : calibration->metrics)
        if (metric.margin && metric.honest_margin)
            out.margins.push_back({metric.key, *metric.honest_margin});
    return out;
}

const TimedArm* arm_named(const TimingBaseline& baseline, const std::string& name) {
    for (const TimedArm& arm : baseline.arms)
        if (arm.name == name) return &arm;
    return nullptr;
}

double median(const TimedMetric& metric) {
    return reports::stats::median(metric.samples).value_or(0);
}

std::string shown(const TimedMetric& metric) {
    return metric.unit == "ns" ? reports::render::duration(median(metric))
                               : fmt::format("{:g} {}", median(metric), metric.unit);
}

void add_change(const std::string& arm,
                const TimedMetric& was,
                const TimedMetric& is,
                TimingAcceptance& out) {
    const StoredDecision seen = against_stored(was, is.samples, is.margin, 1);
    out.changes.push_back(fmt::format("{} of {}: {} before, {} now: {}", is.metric, arm, shown(was),
                                      shown(is), reports::name(seen.verdict)));
    if (seen.verdict == reports::Verdict::regressed)
        out.regressions.push_back({arm, is.metric, is.unit, median(was), median(is)});
}

}  // namespace

std::string why_no_baseline(const std::optional<std::string>& commit, bool is_dirty) {
    if (!commit) return "the build does not say which commit it is, so nobody could build it again";
    const bool is_hash = commit->size() == hash_digits &&
                         commit->find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!is_hash)
        return fmt::format(
            "the build says that its commit is '{}', which is no full commit hash, so nobody could "
            "build it again",
            *commit);
    if (is_dirty)
        return fmt::format(
            "the build has changes that are in no commit (on top of {:.12}); commit them, build, "
            "and accept again",
            *commit);
    return "";
}

TimingBaseline timings_of(const reports::Report& report,
                          const std::vector<reports::compare::TimedSamples>& samples,
                          const Margins& margins,
                          const std::optional<reports::Calibration>& calibration) {
    TimingBaseline out{.scenario = report.scenario.name,
                       .scenario_sha256 = report.scenario.sha256,
                       .model_sha256 = report.model.sha256,
                       .backend = report.run.backend,
                       .machine_class = report.machine.machine_class,
                       .cpu_model = report.machine.cpu_model,
                       .kernel = report.machine.kernel,
                       .cores = report.machine.cores,
                       .memory_bytes = report.machine.memory_bytes,
                       .commit = report.build.commit.value_or("unknown"),
                       .binary_sha256 = report.build.binary_sha256,
                       .compiler = report.build.compiler,
                       .flags = report.build.flags,
                       .suite_commit = report.run.suite_commit,
                       .warm_up = report.plan.warm_up,
                       .reps = report.plan.reps,
                       .calibration = used(calibration),
                       .conditions = report.conditions};
    for (const reports::Report* arm : reports::arms_of(report))
        out.arms.push_back({.name = arm->arm.name,
                            .counts = counts_of(*arm),
                            .timings = metrics_of(arm->arm.name, samples, margins)});
    return out;
}

void add_changes(const TimingBaseline& from, const TimingBaseline& to, TimingAcceptance& out) {
    const Subject subject{to.scenario, to.scenario_sha256, to.backend, to.machine_class};
    if (!why_not_comparable(from, subject).empty()) {
        out.changes.emplace_back(
            "of another machine class, scenario text or backend than before: times are not "
            "compared");
        return;
    }
    for (const TimedArm& now : to.arms) {
        const TimedArm* before = arm_named(from, now.name);
        for (const TimedMetric& is : now.timings) {
            const TimedMetric* was = nullptr;
            for (std::size_t i = 0; before != nullptr && i < before->timings.size(); ++i)
                if (before->timings[i].metric == is.metric) was = &before->timings[i];
            if (was == nullptr)
                out.changes.push_back(fmt::format("{} of {} is new", is.metric, now.name));
            else
                add_change(now.name, *was, is, out);
        }
    }
}

}  // namespace baselines

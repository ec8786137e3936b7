// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/timing_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "baselines/gate/exact.h"
#include "baselines/gate/stored_timings.h"
#include "reports/render/text.h"
#include "reports/stats/summary.h"

namespace baselines {
namespace {

using reports::Verdict;
using reports::compare::TimedSamples;

Outcome outcome_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::improved:
        case Verdict::same:
            return Outcome::passed;
        case Verdict::regressed:
            return Outcome::regressed;
        case Verdict::inconclusive:
            return Outcome::inconclusive;
        case Verdict::invalid:
            return Outcome::invalid;
    }
    return Outcome::invalid;
}

std::string value_text(const Timing& timing, const std::optional<double>& value) {
    if (!value) return "unknown";
    return timing.unit == "ns" ? reports::render::duration(value)
                               : fmt::format("{:g} {}", *value, timing.unit);
}

// The sentence stands by itself in JUnit XML and in an annotation.
Check check_of(Timing timing, const std::string& arm, const std::string& why) {
    Check out = timings_check(
        arm, outcome_of(timing.verdict),
        fmt::format("{} {}: {} before, {} now, {}", timing.metric, reports::name(timing.verdict),
                    value_text(timing, timing.a), value_text(timing, timing.b), why));
    out.reasons.push_back("before: " + timing.against);
    out.timing = std::move(timing);
    return out;
}

std::optional<double> median(const std::vector<double>& values) {
    return reports::stats::median(values);
}

const TimedSamples* samples_of(const std::vector<TimedSamples>& now,
                               const std::string& arm,
                               const std::string& metric) {
    const auto found = std::find_if(now.begin(), now.end(), [&](const TimedSamples& one) {
        return one.arm == arm && one.key == metric;
    });
    return found == now.end() ? nullptr : &*found;
}

const TimedMetric* stored_metric(const TimingBaseline& baseline,
                                 const std::string& arm,
                                 const std::string& metric) {
    for (const TimedArm& one : baseline.arms)
        for (const TimedMetric& row : one.timings)
            if (one.name == arm && row.metric == metric) return &row;
    return nullptr;
}

Check stored_check(
    const TimedMetric& stored, const TimedSamples& now, double margin, int gated, Timing timing) {
    const StoredDecision decision = against_stored(stored, now.values, margin, gated);
    timing.metric = now.name;
    timing.unit = now.unit;
    timing.a = median(stored.samples);
    timing.b = median(now.values);
    timing.ratio = decision.ratio;
    timing.interval = decision.interval;
    timing.margin = margin;
    timing.n = decision.now;
    timing.verdict = decision.verdict;
    return check_of(std::move(timing), now.arm, decision.reason);
}

std::string stored_words(const TimingBaseline& baseline) {
    return fmt::format(
        "stored samples of commit {:.12}{}: weaker: different time, same machine class",
        baseline.commit,
        baseline.accepted.empty() ? "" : ", accepted " + baseline.accepted.back().date);
}

std::vector<std::string> arms_of(const std::vector<TimedSamples>& now) {
    std::vector<std::string> out;
    for (const TimedSamples& one : now)
        if (std::find(out.begin(), out.end(), one.arm) == out.end()) out.push_back(one.arm);
    return out;
}

}  // namespace

std::string why_not_comparable(const TimingBaseline& baseline, const Subject& subject) {
    const auto other = [](const char* what, const std::string& was, const std::string& is) {
        return fmt::format(
            "the baseline of timings is of another {} ({:.40} there, {:.40} here): times of "
            "different ones are never compared; if the change is meant, accept a new one with "
            "--accept --reason \"...\"",
            what, was, is);
    };
    if (baseline.machine_class != subject.machine_class)
        return other("machine class", baseline.machine_class, subject.machine_class);
    if (baseline.scenario != subject.scenario)
        return other("scenario", baseline.scenario, subject.scenario);
    if (baseline.scenario_sha256 != subject.scenario_sha256)
        return other("text of the scenario", baseline.scenario_sha256, subject.scenario_sha256);
    if (baseline.backend != subject.backend)
        return other("backend", baseline.backend, subject.backend);
    return "";
}

Check timings_check(const std::string& arm, Outcome outcome, std::string reason) {
    return {.name = "timings", .arm = arm, .outcome = outcome, .reasons = {std::move(reason)}};
}

std::vector<Check> interleaved_checks(const reports::PairVerdict& pair,
                                      const std::string& arm,
                                      const std::string& against,
                                      reports::Id run) {
    std::vector<Check> out;
    for (const reports::MetricVerdict& one : pair.metrics) {
        if (!one.margin || !one.verdict) continue;
        Timing timing{.metric = one.name,
                      .unit = one.unit,
                      .ratio = one.ratio,
                      .interval = one.interval,
                      .margin = *one.margin,
                      .n = one.rounds,
                      .verdict = *one.verdict,
                      .against = against,
                      .run = run};
        if (one.a) timing.a = one.a->median;
        if (one.b) timing.b = one.b->median;
        out.push_back(check_of(std::move(timing), arm, one.reason));
    }
    if (out.empty())
        out.push_back(timings_check(arm, Outcome::not_checked,
                                    "none of the metrics with a margin was measured"));
    return out;
}

std::vector<Check> stored_checks(const TimingBaseline& baseline,
                                 const std::vector<TimedSamples>& now,
                                 const Margins& margins,
                                 reports::Id run) {
    std::vector<Check> out;
    for (const std::string& arm : arms_of(now))
        for (const auto& [metric, margin] : margins) {
            const TimedMetric* stored = stored_metric(baseline, arm, metric);
            const TimedSamples* seen = samples_of(now, arm, metric);
            if (stored == nullptr || seen == nullptr)
                out.push_back(
                    timings_check(arm, Outcome::invalid,
                                  fmt::format("{} has no samples in {}", metric,
                                              stored == nullptr ? "the baseline; accept a new one"
                                                                : "this run")));
            else if (stored->unit != seen->unit || stored->direction != seen->direction)
                out.push_back(timings_check(
                    arm, Outcome::invalid,
                    fmt::format("{} is in {} ({} is better) in the baseline and in {} ({}) now",
                                metric, stored->unit, reports::name(stored->direction), seen->unit,
                                reports::name(seen->direction))));
            else
                out.push_back(stored_check(*stored, *seen, margin, static_cast<int>(margins.size()),
                                           {.against = stored_words(baseline), .run = run}));
        }
    return out;
}

std::vector<Check> class_count_checks(const TimingBaseline& baseline,
                                      const reports::Report& report) {
    Baseline exact;
    for (const TimedArm& arm : baseline.arms)
        if (!arm.counts.empty())
            exact.arms.push_back(
                {.name = arm.name, .counts = arm.counts, .outputs = {}, .losses = {}});
    if (exact.arms.empty()) return {};
    return check_counts(exact, report);
}

}  // namespace baselines

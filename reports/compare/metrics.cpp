// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/metrics.h"

#include <algorithm>
#include <cmath>

#include "reports/stats/decision.h"
#include "reports/stats/paired.h"
#include "reports/stats/rank_tests.h"
#include "reports/stats/summary.h"

namespace reports::compare {
namespace {

using Pairs = std::vector<std::pair<Observation, Observation>>;

// Positive is worse in a sample; a ratio is B/A whatever that means.
double turned(Direction direction, double worse) {
    return direction == Direction::higher ? -worse : worse;
}

stats::PairedSample sample_of(const Pairs& pairs, Direction direction) {
    std::vector<stats::PairedRound> rounds;
    for (const auto& [a, b] : pairs) rounds.push_back({a.round, a.value, b.value});
    return stats::paired_sample(rounds, direction);
}

std::vector<stats::OrderedRound> ordered(const stats::PairedSample& sample, const Pairs& pairs) {
    std::vector<stats::OrderedRound> rounds;
    for (std::size_t i = 0; i < sample.worse.size(); ++i) {
        const auto& [a, b] = pairs[sample.kept[i]];
        rounds.push_back({sample.worse[i], a.position < b.position, a.round / 2});
    }
    return rounds;
}

// From the sample's scale to the ratio B/A, or to the difference B - A.
double shown(double worse, Direction direction, stats::Scale scale) {
    const double value = turned(direction, worse);
    return scale == stats::Scale::log_ratio ? std::exp(value) : value;
}

ChangeInterval shown(const stats::Interval& interval, Direction direction, stats::Scale scale) {
    double lo = shown(interval.lo, direction, scale), hi = shown(interval.hi, direction, scale);
    if (lo > hi) std::swap(lo, hi);
    return {lo, hi, interval.coverage};
}

void set_rounds(const Pairs& pairs, MetricVerdict& out) {
    std::vector<double> a_values, b_values, ratios;
    for (const auto& [a, b] : pairs) {
        a_values.push_back(a.value);
        b_values.push_back(b.value);
        out.order.push_back({a.round, a.position < b.position});
        if (const auto ratio = stats::ratio(b.value, a.value)) ratios.push_back(*ratio);
    }
    out.a = stats::spread(a_values);
    out.b = stats::spread(b_values);
    out.a_rounds = a_values;
    out.b_rounds = b_values;
    if (ratios.size() == pairs.size()) out.median_ratio = stats::median(ratios);
}

void set_decision(const stats::Decision& decision,
                  const stats::PairedSample& sample,
                  MetricVerdict& out) {
    out.rounds = decision.rounds;
    out.look = decision.look;
    out.looks = decision.looks;
    out.verdict = decision.verdict;
    out.reason = stats::reason(decision, sample.scale);
    out.position_corrected = decision.position_corrected;
    const bool is_ratio = sample.scale == stats::Scale::log_ratio;
    if (decision.estimate && is_ratio)
        out.ratio = shown(*decision.estimate, out.direction, sample.scale);
    // The one that decided: that of a change is wider, by the number of gated metrics.
    const bool is_same = decision.verdict == Verdict::same && decision.same;
    const auto& interval = decision.change && !is_same ? decision.change : decision.same;
    if (interval && is_ratio) out.interval = shown(*interval, out.direction, sample.scale);
    if (decision.position && is_ratio)
        out.second_costs = std::expm1(decision.position->second_costs);
}

void set_tests(const stats::PairedSample& sample, int rounds, MetricVerdict& out) {
    const auto used = std::span(sample.worse).first(static_cast<std::size_t>(rounds));
    out.signed_rank_p = stats::signed_rank_test(used).p_two_sided;
    out.sign_p = stats::sign_test(used).p_two_sided;
}

MetricVerdict judge(const MetricSeries& series,
                    const std::string& a,
                    const std::string& b,
                    const Margins& margins,
                    const stats::Plans& plans) {
    MetricVerdict out{.name = series.name(), .unit = series.unit, .direction = series.direction};
    const auto found = margins.find(series.margin_key());
    if (found != margins.end()) out.margin = found->second;
    const Pairs pairs = paired(series.arms, a, b);
    set_rounds(pairs, out);
    if (out.margin && series.direction == Direction::none) {
        out.verdict = Verdict::inconclusive;
        out.reason = "its direction is none, so no change of it is worse; take its margin out";
        return out;
    }
    const stats::PairedSample sample = sample_of(pairs, series.direction);
    if (sample.scale == stats::Scale::reported_only) {
        out.reason = sample.reason;
        if (out.margin) out.verdict = Verdict::inconclusive;
        return out;
    }
    const auto margin = stats::margin_on(sample.scale, {.share = out.margin, .absolute = {}});
    const stats::Decision decision = stats::decide(ordered(sample, pairs), plans, margin);
    set_decision(decision, sample, out);
    if (out.margin && !margin) {
        out.verdict = Verdict::inconclusive;
        out.reason = sample.reason + "; a margin as a share says nothing about it";
    }
    if (!sample.worse.empty()) set_tests(sample, decision.rounds, out);
    return out;
}

}  // namespace

PairedRounds paired_rounds(const MetricSeries& series, const std::string& a, const std::string& b) {
    const Pairs pairs = paired(series.arms, a, b);
    PairedRounds out{.sample = sample_of(pairs, series.direction), .rounds = {}};
    out.rounds = ordered(out.sample, pairs);
    return out;
}

int gated(const std::vector<MetricSeries>& series, const Margins& margins) {
    return static_cast<int>(std::count_if(series.begin(), series.end(), [&](const auto& one) {
        return margins.count(one.margin_key()) > 0;
    }));
}

std::vector<MetricVerdict> judge_metrics(const std::vector<MetricSeries>& series,
                                         const std::string& a,
                                         const std::string& b,
                                         const Margins& margins,
                                         const stats::Plans& plans) {
    std::vector<MetricVerdict> out;
    for (const MetricSeries& one : series) out.push_back(judge(one, a, b, margins, plans));
    // Those that decide come first.
    std::stable_partition(out.begin(), out.end(),
                          [](const MetricVerdict& one) { return one.margin.has_value(); });
    return out;
}

bool all_decided(const std::vector<MetricVerdict>& verdicts) {
    return std::all_of(verdicts.begin(), verdicts.end(), [](const MetricVerdict& one) {
        return !one.margin || (one.verdict && *one.verdict != Verdict::inconclusive);
    });
}

}  // namespace reports::compare

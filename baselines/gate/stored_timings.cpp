// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/stored_timings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/stats/two_sample.h"

namespace baselines {
namespace {

// ln of each value, turned so that larger is worse; nullopt: a value has none.
std::optional<std::vector<double>> logarithms(const std::vector<double>& values, double sign) {
    std::vector<double> out;
    for (const double value : values) {
        if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
        out.push_back(sign * std::log(value));
    }
    return out;
}

std::vector<double> no_more_than(std::vector<double> values, std::size_t most) {
    if (values.size() > most) values.resize(most);
    return values;
}

std::string interval_text(const StoredDecision& decision, double margin) {
    return fmt::format(
        "{:+.2f} % [{:+.2f}, {:+.2f}] ({:.2f} %), {} samples now against {} stored, margin {:g} %",
        100 * (*decision.ratio - 1), 100 * (decision.interval->lo - 1),
        100 * (decision.interval->hi - 1), 100 * decision.interval->level, decision.now,
        decision.then, 100 * margin);
}

void set_interval(const reports::stats::Decision& from, double sign, StoredDecision& out) {
    const auto& interval = from.change ? from.change : from.same;
    if (from.estimate) out.ratio = std::exp(sign * *from.estimate);
    if (!interval) return;
    double lo = std::exp(sign * interval->lo), hi = std::exp(sign * interval->hi);
    if (lo > hi) std::swap(lo, hi);
    out.interval = reports::ChangeInterval{lo, hi, interval->coverage};
}

}  // namespace

StoredDecision against_stored(const TimedMetric& stored,
                              const std::vector<double>& now,
                              double margin,
                              int gated) {
    const double sign = stored.direction == reports::Direction::higher ? -1 : 1;
    const auto then_log = logarithms(stored.samples, sign);
    const auto now_log = logarithms(no_more_than(now, reports::stats::most_samples), sign);
    StoredDecision out{.then = static_cast<int>(stored.samples.size()),
                       .now = static_cast<int>(now_log ? now_log->size() : now.size())};
    if (!then_log || !now_log) {
        out.reason = "a value is 0 or no finite number, and has no ratio";
        return out;
    }
    const auto decision =
        reports::stats::decide_unpaired(*then_log, *now_log, gated, std::log1p(margin));
    out.verdict = *decision.verdict;
    set_interval(decision, sign, out);
    out.reason = out.interval ? interval_text(out, margin)
                              : fmt::format(
                                    "{} samples now and {} stored are too few for an "
                                    "interval at this level",
                                    out.now, out.then);
    return out;
}

}  // namespace baselines

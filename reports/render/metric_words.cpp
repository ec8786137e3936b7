// SPDX-License-Identifier: Apache-2.0
#include "reports/render/metric_words.h"

#include <cmath>

#include <fmt/format.h>

#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

std::string change_words(const MetricVerdict& metric) {
    const double change = 100 * (*metric.ratio - 1);
    return fmt::format("{} {} by {:.2f} % in paired rounds (medians {} -> {})", metric.name,
                       change < 0 ? "fell" : "rose", std::abs(change),
                       value_text(metric.unit, metric.a), value_text(metric.unit, metric.b));
}

std::string interval_words(const MetricVerdict& metric) {
    return fmt::format("{} to {} ({:.1f} % interval of {} rounds)",
                       change_text(metric.interval->lo), change_text(metric.interval->hi),
                       100 * metric.interval->level, metric.rounds);
}

// The end of the interval where the metric is worst.
double worst_end(const MetricVerdict& metric) {
    return metric.direction == Direction::higher ? metric.interval->lo : metric.interval->hi;
}

std::string judged(const MetricVerdict& metric) {
    const std::string margin = margin_text(metric), interval = interval_words(metric);
    switch (*metric.verdict) {
        case Verdict::regressed:
            return fmt::format(
                "; the margin tolerates {}. The true change lies within {}: all of it is worse, so "
                "this is not chance",
                margin, interval);
        case Verdict::improved:
            return fmt::format(
                ", better by at least the margin of {}. The true change lies within {}: all of it "
                "is better, so this is not chance",
                margin, interval);
        case Verdict::same:
            return fmt::format(
                ". The true change lies within {}: at worst {}, which is below the margin of {}",
                interval, change_text(worst_end(metric)), margin);
        default:
            return fmt::format(
                ". The true change lies within {}, and the margin is {}: that is neither surely "
                "within it nor surely a change of that size",
                interval, margin);
    }
}

}  // namespace

std::string metric_words(const MetricVerdict& metric) {
    if (!metric.ratio || !metric.interval || !metric.margin)
        return fmt::format("{} is {}: {}", metric.name, name(*metric.verdict), metric.reason);
    std::string text = change_words(metric) + judged(metric);
    if (metric.position_corrected)
        text += fmt::format(". Running second in a round costs {}, so blocks, not rounds, decided",
                            metric.second_costs ? change_text(1 + *metric.second_costs) : "time");
    return text;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Forest plot: one line per metric, its ratio B/A with the interval that decided, on one
// logarithmic axis.
#include <cmath>

#include <fmt/format.h>

#include "reports/render/html_comparison.h"
#include "reports/render/html_plot.h"
#include "reports/render/html_table.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"
#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

bool has_ratio(const MetricVerdict& metric) {
    return is_shown(metric) && metric.ratio && *metric.ratio > 0;
}

// ln(4): beyond four times as much or as little a mark at the edge says enough.
constexpr double farthest = 1.3863;

PlotAxis axis_of(const PairVerdict& pair) {
    std::vector<double> values = {0};
    for (const MetricVerdict& metric : pair.metrics) {
        if (!has_ratio(metric)) continue;
        values.push_back(std::log(*metric.ratio));
        if (metric.interval)
            for (const double end : {metric.interval->lo, metric.interval->hi})
                values.push_back(std::log(end));
        const double margin = std::log1p(metric.margin.value_or(0));
        values.insert(values.end(), {-margin, margin});
    }
    return axis_over(values, 0.02, {-farthest, farthest});
}

std::string words(const MetricVerdict& metric) {
    std::string text = fmt::format("{}: ratio {:.4f}", metric.name, *metric.ratio);
    if (metric.interval)
        text += fmt::format(", {:.1f} % interval {:.4f} to {:.4f}", 100 * metric.interval->level,
                            metric.interval->lo, metric.interval->hi);
    if (metric.margin) text += ", margin " + margin_text(metric);
    return text + ": " + verdict_text(metric);
}

// The interval as a line with caps; a cap is missing where the interval leaves the plot.
std::string interval_mark(const ChangeInterval& interval,
                          const PlotAxis& axis,
                          const std::string& kind) {
    std::string out =
        svg_level(kind, axis.at(std::log(interval.lo)), axis.at(std::log(interval.hi)), "50%");
    for (const double end : {std::log(interval.lo), std::log(interval.hi)})
        if (axis.holds(end)) out += svg_upright(kind, axis.at(end), "36%", "64%");
    return out;
}

std::string row_plot(const MetricVerdict& metric, const PlotAxis& axis, const Ticks& ticks) {
    std::string out;
    if (metric.margin) {
        const double margin = std::log1p(*metric.margin);
        out += svg_rect("band", axis.at(-margin), axis.at(margin) - axis.at(-margin), "0", "100%");
    }
    for (const double tick : ticks.values)
        out += svg_upright("grid", axis.at(std::log(tick)), "0", "100%");
    out += svg_upright("unit", axis.at(0), "0", "100%");
    const std::string kind = mark_class(metric.verdict);
    if (metric.interval) out += interval_mark(*metric.interval, axis, kind);
    return svg(words(metric), 0,
               out + svg_dot(kind, axis.at(std::log(*metric.ratio)), "50%", metric.margin ? 5 : 4));
}

std::string row_name(const MetricVerdict& metric) {
    const std::string better = metric.direction == Direction::higher  ? "higher is better"
                               : metric.direction == Direction::lower ? "lower is better"
                                                                      : "";
    return element("b", escaped_html(metric.name)) + ' ' + element("span", better);
}

std::string row_value(const MetricVerdict& metric) {
    const std::string kind = fmt::format(R"(class="chip {}")", mark_class(metric.verdict));
    return element("b", change_text(metric.ratio)) + ' ' +
           element("span", kind, escaped_html(verdict_text(metric))) + ' ' +
           element("span", R"(class="aside")", change_interval_text(metric.interval));
}

std::string axis_row(const PairVerdict& pair, const PlotAxis& axis, const Ticks& ticks) {
    std::string out;
    for (const double tick : ticks.values)
        out += svg_text("tick", axis.at(std::log(tick)), "12",
                        fmt::format("{:.{}f}", tick, ticks.decimals));
    return plot_row("", svg_without_words(18, out),
                    element("span", R"(class="aside")",
                            escaped_html(fmt::format("ratio {} / {}", pair.b, pair.a))));
}

std::vector<HtmlCell> table_row(const MetricVerdict& metric) {
    HtmlCell verdict(verdict_text(metric));
    verdict.bad = metric.verdict == Verdict::regressed || metric.verdict == Verdict::invalid;
    const auto p = [](const std::optional<double>& value) {
        return HtmlCell(value ? fmt::format("{:.3g}", *value) : unknown, value);
    };
    return {{metric.name},
            {value_text(metric.unit, metric.a), middle(metric.a)},
            {value_text(metric.unit, metric.b), middle(metric.b)},
            {change_text(metric.ratio), metric.ratio},
            {change_interval_text(metric.interval)},
            {metric.interval ? fmt::format("{:.2f} %", 100 * metric.interval->level) : unknown},
            {margin_text(metric), metric.margin},
            {std::to_string(metric.rounds), metric.rounds},
            verdict,
            p(metric.signed_rank_p),
            {metric.second_costs ? change_text(1 + *metric.second_costs) : unknown}};
}

}  // namespace

std::string forest_html(const PairVerdict& pair) {
    const PlotAxis axis = axis_of(pair);
    const Ticks ticks = ratio_ticks(axis, 6);
    std::string rows;
    for (const MetricVerdict& metric : pair.metrics)
        if (has_ratio(metric))
            rows += plot_row(row_name(metric), row_plot(metric, axis, ticks), row_value(metric));
    if (rows.empty()) return {};
    return element("div", R"(class="plot forest")", '\n' + rows + axis_row(pair, axis, ticks)) +
           '\n' +
           element("p", R"(class="note")",
                   "Dot: estimate. Line: the interval that decided. Shaded: the margin, within "
                   "which a change is tolerated. The strong upright line is 1: no change. "
                   "Logarithmic axis.") +
           '\n';
}

std::string metric_table_html(const PairVerdict& pair) {
    HtmlTable table{.kind = "metrics",
                    .caption = fmt::format("{} against {}: timed rounds, paired", pair.b, pair.a),
                    .columns = {{"metric", "", false},
                                {pair.a, "median over rounds"},
                                {pair.b, "median over rounds"},
                                {"change", "Hodges-Lehmann estimate of the rounds' ratios"},
                                {"interval", "exact signed-rank interval that decided"},
                                {"level", "coverage of the interval"},
                                {"margin", "the change that is tolerated"},
                                {"rounds", "read by the verdict"},
                                {"verdict", "", false},
                                {"signed-rank p", "two-sided, exact"},
                                {"second costs", "what running second in a round costs"}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    for (const MetricVerdict& metric : pair.metrics)
        if (is_shown(metric)) table.rows.push_back(table_row(metric));
    return table.rows.empty() ? std::string() : html(table);
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Each round's ratio in the order in which rounds were run: what drifts, jumps or alternates with
// the order of the arms is seen here, and nowhere else.
#include <algorithm>
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

constexpr int plot_height = 196, top = 10, bottom = 166;  // pixels
constexpr double farthest = 1.3863;                       // ln(4)

struct Plot {
    const PairVerdict& pair;
    const MetricVerdict& metric;
    std::vector<ReplacedBlock> replaced;  // of timed trials
    std::vector<double> log_ratios;       // by round of metric.order
    int rounds = 0;                       // columns
    PlotAxis axis;

    double x(double round) const { return round / rounds; }

    std::string y(double log_ratio) const {
        return fmt::format("{:.1f}", bottom - (bottom - top) * axis.at(log_ratio));
    }
};

Plot plot_of(const PairVerdict& pair,
             const MetricVerdict& metric,
             const std::vector<ReplacedBlock>& replaced) {
    Plot out{pair, metric, {}, {}, 0, {}};
    for (const ReplacedBlock& one : replaced) {
        if (one.mode != Mode::timed) continue;
        out.replaced.push_back(one);
        out.rounds = std::max(out.rounds, 2 * one.block + 2);
    }
    for (std::size_t i = 0; i < metric.order.size(); ++i) {
        out.log_ratios.push_back(std::log(metric.b_rounds[i] / metric.a_rounds[i]));
        out.rounds = std::max(out.rounds, metric.order[i].round + 1);
    }
    std::vector<double> values = out.log_ratios;
    const double margin = std::log1p(metric.margin.value_or(0));
    values.insert(values.end(), {0, -margin, margin});
    if (metric.interval)
        for (const double end : {metric.interval->lo, metric.interval->hi})
            values.push_back(std::log(end));
    out.axis = axis_over(values, 0.02, {-farthest, farthest});
    return out;
}

std::string band(const Plot& plot, const char* kind, double low, double high) {
    const double y = std::stod(plot.y(high)), end = std::stod(plot.y(low));
    return svg_rect(kind, 0, 1, fmt::format("{:.1f}", y).c_str(),
                    fmt::format("{:.1f}", end - y).c_str());
}

std::string background(const Plot& plot, const Ticks& ticks) {
    std::string out;
    if (plot.metric.margin) {
        const double margin = std::log1p(*plot.metric.margin);
        out += band(plot, "band", -margin, margin);
    }
    for (const double tick : ticks.values)
        out += svg_level("grid", 0, 1, plot.y(std::log(tick)).c_str());
    for (const ReplacedBlock& one : plot.replaced) {
        const int first = 2 * one.block;
        out += element(
            "g",
            element("title", escaped_html(fmt::format("rounds {} and {} do not count: arm {}: {}",
                                                      first + 1, first + 2, one.arm, one.reason))) +
                svg_rect("void", plot.x(first), plot.x(2), "10", "156"));
    }
    return out + svg_level("unit", 0, 1, plot.y(0).c_str());
}

std::string estimate(const Plot& plot) {
    const MetricVerdict& metric = plot.metric;
    if (!metric.ratio) return {};
    const std::string kind = mark_class(metric.verdict);
    std::string out;
    if (metric.interval)
        out += band(plot, (kind + " wide").c_str(), std::log(metric.interval->lo),
                    std::log(metric.interval->hi));
    return out + svg_level(kind + " thin", 0, 1, plot.y(std::log(*metric.ratio)).c_str());
}

bool is_read(const Plot& plot, std::size_t i) {
    return static_cast<int>(i) < plot.metric.rounds;
}

std::string point(const Plot& plot, std::size_t i) {
    const RoundOrder& order = plot.metric.order[i];
    const double x = plot.x(order.round + 0.5);
    const std::string y = plot.y(plot.log_ratios[i]), zero = plot.y(0);
    const std::string unread = is_read(plot, i) ? "" : " unread";
    const std::string first = order.a_first ? plot.pair.a : plot.pair.b;
    return element(
        "g",
        element("title", escaped_html(fmt::format("round {}, {} first: {}{}", order.round + 1,
                                                  first, change_text(std::exp(plot.log_ratios[i])),
                                                  unread.empty() ? "" : ", not read"))) +
            svg_upright("stem" + unread, x, zero.c_str(), y.c_str()) +
            svg_dot((order.a_first ? "ab" : "ba") + unread, x, y.c_str(), 4.5));
}

// Every block where there is room on a phone, else every second, fourth...
std::string round_labels(const Plot& plot) {
    int every = 2;
    while (plot.rounds / every > 8) every *= 2;
    std::string out;
    for (int round = 0; round < plot.rounds; round += every)
        out += svg_text("tick", plot.x(round + 0.5), "184", std::to_string(round + 1));
    return out;
}

std::string scale(const Plot& plot, const Ticks& ticks) {
    std::string out;
    for (const double tick : ticks.values) {
        const double y = std::stod(plot.y(std::log(tick))) + 4;
        out += fmt::format(
            R"(<text class="tick" x="100%" y="{:.1f}" text-anchor="end">{:+.{}f} %</text>)", y,
            100 * (tick - 1), std::max(0, ticks.decimals - 2));
    }
    return svg_without_words(plot_height, out);
}

std::string words(const Plot& plot) {
    int worse = 0;
    for (const double one : plot.log_ratios)
        worse += plot.metric.direction == Direction::higher ? one < 0 : one > 0;
    return fmt::format(
        "{}: ratio {} / {} of {} rounds in their order; {} of them worse. {}", plot.metric.name,
        plot.pair.b, plot.pair.a, plot.log_ratios.size(), worse,
        plot.replaced.empty() ? "" : fmt::format("{} blocks do not count.", plot.replaced.size()));
}

std::string drawn(const Plot& plot) {
    const Ticks ticks = ratio_ticks(plot.axis, 6);
    std::string out = background(plot, ticks) + estimate(plot);
    for (std::size_t i = 0; i < plot.log_ratios.size(); ++i) out += point(plot, i);
    out += round_labels(plot);
    return element("div", R"(class="plot rounds")",
                   element("h3", escaped_html(plot.metric.name)) +
                       element("div", R"(class="field")",
                               scale(plot, ticks) + svg(words(plot), plot_height, out)) +
                       element("p", R"(class="axis-name")", "round")) +
           '\n';
}

HtmlTable table_of(const Plot& plot) {
    const MetricVerdict& metric = plot.metric;
    HtmlTable table{.kind = "rounds",
                    .caption = metric.name + ", round by round",
                    .columns = {{"round", "", false},
                                {"ran first", "", false},
                                {plot.pair.a},
                                {plot.pair.b},
                                {plot.pair.b + " / " + plot.pair.a},
                                {"read", "by the verdict", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    const auto value = [&](double x) {
        return HtmlCell(value_text(metric.unit, Spread{x, x, x, 1}), x);
    };
    for (std::size_t i = 0; i < metric.order.size(); ++i) {
        const RoundOrder& order = metric.order[i];
        const double ratio = std::exp(plot.log_ratios[i]);
        table.rows.push_back({{std::to_string(order.round + 1), order.round},
                              {order.a_first ? plot.pair.a : plot.pair.b},
                              value(metric.a_rounds[i]),
                              value(metric.b_rounds[i]),
                              {fmt::format("{:.4f}", ratio), ratio},
                              {is_read(plot, i) ? "yes" : "no: decided before"}});
    }
    return table;
}

bool is_plotted(const MetricVerdict& metric) {
    return metric.margin && metric.ratio && !metric.order.empty() &&
           metric.order.size() == metric.a_rounds.size();
}

// Only what is seen is explained.
std::string legend(const PairVerdict& pair, const std::string& plots) {
    const auto seen = [&](const char* kind) { return plots.find(kind) != std::string::npos; };
    const auto dot = [](const char* kind) {
        return fmt::format(R"(<svg class="key" aria-hidden="true">{}</svg>)",
                           svg_dot(kind, 0.5, "50%", 4.5));
    };
    return element(
               "p", R"(class="note")",
               dot("ab") + escaped_html(" " + pair.a + " ran first ") + "&ensp;" + dot("ba") +
                   escaped_html(" " + pair.b + " ran first.") +
                   " Above the line of no change (+0 %) is more. Shaded: the margin. Coloured: "
                   "estimate and interval." +
                   (seen("class=\"void\"") ? " Dashed box: a trial failed, so the block was run "
                                             "again at the end and does not count."
                                           : "") +
                   (seen(" unread\"") ? " Faint: run after the verdict on this metric was "
                                        "reached, and not read by it."
                                      : "")) +
           '\n';
}

}  // namespace

std::string rounds_html(const PairVerdict& pair, const std::vector<ReplacedBlock>& replaced) {
    std::string plots, tables;
    for (const MetricVerdict& metric : pair.metrics) {
        if (!is_plotted(metric)) continue;
        const Plot plot = plot_of(pair, metric, replaced);
        plots += drawn(plot);
        tables += html(table_of(plot));
    }
    if (plots.empty()) return {};
    return element("div", R"(class="plots")", '\n' + plots) + '\n' + legend(pair, plots) +
           element("details", element("summary", "every round in numbers") + '\n' + tables) + '\n';
}

}  // namespace reports::render

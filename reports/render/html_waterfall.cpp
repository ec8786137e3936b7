// SPDX-License-Identifier: Apache-2.0
// The waterfall: a bar per step, each beginning where the one before it ended.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/render/html_comparison.h"
#include "reports/render/html_plot.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"
#include "reports/render/verdict_text.h"
#include "reports/render/waterfall_steps.h"

namespace reports::render {
namespace {

constexpr std::size_t most_kernels = 8;

bool is_wall(const WaterfallStep& step) {
    return step.name == "wall";
}

PlotAxis axis_of(const std::vector<WaterfallStep>& steps) {
    std::vector<double> values = {0};
    double most = 0;
    for (const WaterfallStep& step : steps) {
        values.insert(values.end(), {step.from_ns, step.to_ns});
        most = std::max({most, std::abs(step.from_ns), std::abs(step.to_ns)});
    }
    return axis_over(values, 1, {-most - 1, most + 1});
}

// Colour says which way; a step whose interval holds 0 is pale, as nobody knows its sign.
std::string bar_class(const WaterfallStep& step) {
    if (is_wall(step)) return "step wall";
    const bool pale = step.interval ? !is_sure(step.interval) : true;
    return fmt::format("step {}{}", step.delta_ns > 0 ? "more" : "less", pale ? " pale" : "");
}

std::string bar(const WaterfallStep& step, const PlotAxis& axis) {
    const double from = axis.at(std::min(step.from_ns, step.to_ns));
    const double to = axis.at(std::max(step.from_ns, step.to_ns));
    return svg_without_words(
        0, svg_upright("unit", axis.at(0), "0", "100%") +
               svg_rect(bar_class(step), from, std::max(to - from, 0.002), "20%", "60%") +
               svg_upright("joint", axis.at(step.to_ns), "20%", "100%"));
}

std::string row(const WaterfallStep& step, const PlotAxis& axis) {
    const std::string interval =
        step.interval ? duration_interval_text(step.interval) : std::string();
    return plot_row(element("b", escaped_html(is_wall(step) ? "Δ wall" : step.name)) + ' ' +
                        element("span", escaped_html(step.about)),
                    bar(step, axis),
                    element("b", step.text) + ' ' +
                        element("span", R"(class="aside")", escaped_html(interval)));
}

std::string axis_row(const PlotAxis& axis, const DurationUnit& unit) {
    const Ticks ticks = round_ticks(axis.low / unit.ns, axis.high / unit.ns, 6);
    std::string out;
    for (const double tick : ticks.values)
        out += svg_text("tick", axis.at(tick * unit.ns), "12",
                        fmt::format("{:.{}f}", tick, ticks.decimals));
    return plot_row("", svg_without_words(18, out),
                    element("span", R"(class="aside")", fmt::format("{} a rep", unit.name)));
}

// "+2.385 ms = +1.325 + 0.518 ...": what a person may add up.
std::string sum(const std::vector<WaterfallStep>& steps) {
    std::string parts;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        const std::string& text = steps[i].text;
        const std::string number = text.substr(1, text.find(' ') - 1);
        const bool is_less = text[0] == '-';
        parts += (i == 0 ? (is_less ? "−" : "") : (is_less ? " − " : " + ")) + number;
    }
    const std::string& wall = steps.back().text;
    return fmt::format("Δ wall {} = {}", wall, parts);
}

}  // namespace

std::string waterfall_html(const PairVerdict& pair, const Waterfall& waterfall) {
    const auto steps = waterfall_steps(pair, waterfall, most_kernels);
    const PlotAxis axis = axis_of(steps);
    std::string rows;
    for (const WaterfallStep& step : steps) rows += row(step, axis);
    rows += axis_row(axis, unit_for(steps));
    std::string alarm;
    if (waterfall.profiling_changed_the_answer)
        alarm = element("p", R"(class="bad")",
                        "Profiling changed the answer: the profiled rounds show another change "
                        "than the timed ones, by more than the margin. Nobody is blamed.") +
                '\n';
    return alarm + element("div", R"(class="plot waterfall")", '\n' + rows) + '\n' +
           element("p", R"(class="note sum")", escaped_html(sum(steps))) + '\n';
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
#include "reports/render/waterfall_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

std::string within(const std::string& path, const std::string& phase) {
    return path.starts_with(phase + "/") ? path.substr(phase.size() + 1) : path;
}

// The phase's kernels, all layers together: largest change first, as they come.
void add_kernels(const PairVerdict& pair,
                 const Waterfall& waterfall,
                 const Waterfall::Row& all,
                 std::size_t most,
                 std::vector<WaterfallStep>& out) {
    double others_ns = 0;
    std::size_t others = 0;
    for (const BlameRow& row : pair.kernels) {
        if (row.phase != waterfall.phase || !row.whole_op) continue;
        if (out.size() >= most) {
            ++others;
            others_ns += row.delta_ns;
            continue;
        }
        out.push_back({.name = kernel_text(row),
                       .about = within(row.path, waterfall.phase),
                       .delta_ns = row.delta_ns,
                       .interval = row.interval,
                       .text = {}});
    }
    if (out.empty())
        out.push_back({"kernels", about_step("kernels"), all.delta_ns, 0, 0, all.interval, {}});
    else if (others > 0)
        out.push_back(
            {"other kernels", fmt::format("{} more, together", others), others_ns, 0, 0, {}, {}});
}

// In thousandths of the unit, so that sums of what is printed are exact.
void print(std::vector<WaterfallStep>& steps) {
    const DurationUnit unit = unit_for(steps);
    const auto rounded = [&](double ns) { return std::llround(ns / unit.ns * 1000); };
    const auto text = [&](std::int64_t thousandths) {
        return fmt::format("{:+.3f} {}", static_cast<double>(thousandths) / 1000, unit.name);
    };
    WaterfallStep &rest = steps[steps.size() - 2], &wall = steps.back();
    std::int64_t left = rounded(wall.delta_ns);
    for (std::size_t i = 0; i + 2 < steps.size(); ++i) {
        steps[i].text = text(rounded(steps[i].delta_ns));
        left -= rounded(steps[i].delta_ns);
    }
    rest.text = text(left);
    wall.text = text(rounded(wall.delta_ns));
}

}  // namespace

const char* about_step(const std::string& part) {
    if (part == "kernels") return "time in which one kernel ran";
    if (part == "shared") return "time in which two or more kernels ran";
    if (part == "profiling") return "what the timed rounds changed and the profiled ones did not";
    if (part == "gap") return "time in which no kernel ran";
    if (part == "gap.launch") return "no kernel ran: the host was launching";
    if (part == "gap.sync") return "no kernel ran: the host waited for the device";
    if (part == "gap.alloc") return "no kernel ran: the host allocated memory";
    if (part == "gap.host") return "no kernel ran: other work of the host";
    if (part == "gap.dispatch") return "no kernel ran, though one was queued";
    if (part == "gap.unsplit") return "no kernel ran: too short to tell why";
    return "";
}

DurationUnit unit_for(const std::vector<WaterfallStep>& steps) {
    double most = 0;
    for (const WaterfallStep& step : steps) most = std::max(most, std::abs(step.delta_ns));
    return duration_unit(most);
}

std::vector<WaterfallStep> waterfall_steps(const PairVerdict& pair,
                                           const Waterfall& waterfall,
                                           std::size_t most_kernels) {
    std::vector<WaterfallStep> out;
    for (const Waterfall::Row& row : waterfall.rows) {
        if (row.name == "kernels" && !waterfall.profiling_changed_the_answer)
            add_kernels(pair, waterfall, row, most_kernels, out);
        else
            out.push_back({row.name, about_step(row.name), row.delta_ns, 0, 0, row.interval, {}});
    }
    double rest_ns = waterfall.wall_ns;
    for (const WaterfallStep& step : out) rest_ns -= step.delta_ns;
    out.push_back({"rest", "medians of parts do not add up exactly", rest_ns, 0, 0, {}, {}});
    double sum = 0;
    for (WaterfallStep& step : out) {
        step.from_ns = sum;
        step.to_ns = sum += step.delta_ns;
    }
    out.push_back({"wall",
                   "time of the phase, timed rounds",
                   waterfall.wall_ns,
                   0,
                   waterfall.wall_ns,
                   {},
                   {}});
    print(out);
    return out;
}

}  // namespace reports::render

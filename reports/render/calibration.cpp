// SPDX-License-Identifier: Apache-2.0
// What a machine can tell, as tables a person reads from top to bottom.
#include "reports/render/calibration.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/text.h"

namespace reports::render {
namespace {

std::string share(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f} %", 100 * *value) : unknown;
}

std::string value_text(const CalibratedMetric& metric) {
    if (metric.unit == "ns") return duration(metric.values.median);
    return scaled(metric.values.median, metric.unit == "bytes" ? "B" : metric.unit.c_str());
}

std::string alarms_text(const CalibratedMetric& metric) {
    if (!metric.alarms) return unknown;
    return fmt::format("{} of {}", metric.alarms->resampled_alarms, metric.alarms->resampled);
}

std::string whole_text(const CalibratedMetric& metric) {
    if (!metric.alarms) return unknown;
    return fmt::format("{} of {}", metric.alarms->whole_alarms, metric.alarms->whole);
}

const char* honest_text(const CalibratedMetric& metric) {
    const auto honest = is_honest(metric);
    if (!metric.margin) return "not gated";
    return !honest ? unknown : *honest ? "yes" : "TOO SMALL";
}

Section metric_section(const Calibration& calibration) {
    Section out{.title = "Metrics, the program against itself (timed rounds, paired)",
                .columns = {{"metric", Align::left, true},
                            {"median"},
                            {"sigma"},
                            {"honest margin"},
                            {"detected", Align::right, false, 1},
                            {"margin"},
                            {"is honest", Align::left},
                            {"false alarms, resampled", Align::right, false, 2},
                            {"whole", Align::right, false, 3}}};
    for (const CalibratedMetric& one : calibration.metrics) {
        out.rows.push_back({one.name, value_text(one), share(one.sigma), share(one.honest_margin),
                            share(one.detected),
                            one.margin ? fmt::format("{:g} %", 100 * *one.margin) : unknown,
                            honest_text(one), alarms_text(one), whole_text(one)});
        if (!one.reason.empty())
            out.notes.push_back(fmt::format("{}: no honest margin: {}", one.name, one.reason));
    }
    out.notes.push_back(fmt::format(
        "sigma: plain standard deviation of ln(B/A) of a round; what disturbs the machine now and "
        "then is part of it. honest margin: the smallest that says same with {:.0f} % when nothing "
        "changed; detected: the slowdown that is then called regressed with {:.0f} %. From {} "
        "comparisons drawn from these rounds; whole: real ones.",
        100 * calibration.plan.goal, 100 * calibration.plan.goal, calibration.plan.series));
    return out;
}

Section kernel_section(const Calibration& calibration, int top) {
    Section out{
        .title = "Kernels, all layers together (profiled rounds)",
        .columns = {
            {"path", Align::left, true}, {"kernel", Align::left, true, 1}, {"median"}, {"sigma"}}};
    for (const CalibratedKernel& one : calibration.kernels) {
        if (top > 0 && out.rows.size() == static_cast<std::size_t>(top)) break;
        out.rows.push_back({one.path, one.kernel, duration(one.median_ns), share(one.sigma)});
    }
    if (out.rows.size() < calibration.kernels.size())
        out.notes.push_back(
            fmt::format("{} more: --top 0", calibration.kernels.size() - out.rows.size()));
    return out;
}

Section repeat_section(const Calibration& calibration) {
    Section out{.title = "What repeats"};
    const auto constant = std::count_if(calibration.counts.begin(), calibration.counts.end(),
                                        [](const auto& one) { return one.value.has_value(); });
    out.notes.push_back(
        fmt::format("{} of {} counts were constant", constant, calibration.counts.size()));
    for (const CalibratedCount& one : calibration.counts)
        if (!one.value) out.notes.push_back("count " + one.name + " varied");
    out.notes.emplace_back(!calibration.tokens_repeat ? "the program gave no tokens"
                           : *calibration.tokens_repeat
                               ? "tokens were the same in all trials"
                               : "TOKENS DIFFERED between trials of one program");
    return out;
}

void add_header(const Calibration& calibration, Document& out) {
    out.header.emplace_back("machine", calibration.machine_class);
    out.header.emplace_back("scenario", fmt::format("{} · identity {}", calibration.scenario,
                                                    short_hash(calibration.scenario_sha256)));
    if (!calibration.arm.empty()) out.header.emplace_back("arm", calibration.arm);
    out.header.emplace_back(
        "build", fmt::format("{}{} · binary {}", calibration.commit.value_or("unversioned"),
                             calibration.dirty_diff_sha256 ? " with changes" : "",
                             short_hash(calibration.binary_sha256)));
    out.header.emplace_back(
        "rounds",
        fmt::format("{} timed, {} profiled{}", calibration.rounds, calibration.profiled_rounds,
                    calibration.replaced_rounds > 0
                        ? fmt::format(", {} replaced", calibration.replaced_rounds)
                        : ""));
    if (!calibration.plan.looks.empty())
        out.header.emplace_back(
            "plan", fmt::format("looks after {}, {} gated {}",
                                fmt::join(calibration.plan.looks, ", "), calibration.plan.gated,
                                calibration.plan.gated == 1 ? "metric" : "metrics"));
}

}  // namespace

std::optional<bool> is_honest(const CalibratedMetric& metric) {
    if (!metric.margin || !metric.honest_margin) return std::nullopt;
    return *metric.margin >= *metric.honest_margin;
}

Document calibration_document(const Calibration& calibration, int top) {
    const bool valid = calibration.reasons.empty();
    Document out{
        .title = fmt::format("run {} · {} · {}", calibration.run.value_or(0), calibration.scenario,
                             valid ? "calibrated" : "INVALID, not stored"),
        .alarm = !valid};
    add_header(calibration, out);
    out.alarms = calibration.reasons;
    if (!valid) return out;
    out.sections.push_back(metric_section(calibration));
    out.sections.push_back(repeat_section(calibration));
    if (!calibration.kernels.empty()) out.sections.push_back(kernel_section(calibration, top));
    out.footer.emplace_back(
        "tare ab and tare gate refuse smaller margins of this scenario on this machine class.");
    return out;
}

std::string calibration(const Calibration& calibration, const Options& options) {
    if (options.format == Format::json) return calibration_json(calibration);
    const Document document = calibration_document(calibration, options.top);
    if (options.format == Format::markdown) return to_markdown(document);
    return to_terminal(document, options.width, options.color);
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Rows of comma-separated fields; an unknown number is an empty field.
#include "reports/render/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "reports/render/text.h"

namespace reports::render {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string field(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return {};
    if (*value == std::round(*value) && std::abs(*value) < 9e15)
        return fmt::format("{:.0f}", *value);
    return fmt::format("{}", *value);
}

std::optional<double> least(const Figure& figure) {
    return figure ? std::optional(figure->min) : std::nullopt;
}

std::optional<double> most(const Figure& figure) {
    return figure ? std::optional(figure->max) : std::nullopt;
}

std::string record(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& text : fields) {
        if (!line.empty() || &text != &fields.front()) line += ',';
        line += quoted(text);
    }
    return line + "\r\n";
}

std::string kernel_record(const Report& report, const KernelRow& row) {
    return record({std::to_string(report.run.id),
                   report.scenario.name,
                   report.model.name,
                   report.build.commit.value_or(""),
                   report.machine.machine_class,
                   row.phase,
                   row.path,
                   row.role,
                   row.kernel,
                   row.launch_shape.value_or(""),
                   row.registers ? std::to_string(*row.registers) : "",
                   field(middle(row.calls)),
                   field(least(row.calls)),
                   field(most(row.calls)),
                   field(middle(row.total_ns)),
                   field(least(row.total_ns)),
                   field(most(row.total_ns)),
                   field(middle(row.share)),
                   field(middle(row.mean_ns)),
                   field(row.p50_ns),
                   field(row.p99_ns),
                   field(row.min_ns),
                   field(row.max_ns),
                   field(row.bytes),
                   field(row.flops),
                   field(row.gb_per_s),
                   field(row.tflop_per_s),
                   field(row.roof_share),
                   row.roof_bound,
                   report.valid ? "1" : "0"});
}

}  // namespace

std::string report_csv(const Report& report) {
    std::string out = record({"run",
                              "scenario",
                              "model",
                              "commit",
                              "machine_class",
                              "phase",
                              "path",
                              "role",
                              "kernel",
                              "launch_shape",
                              "registers_per_thread",
                              "calls",
                              "calls_min",
                              "calls_max",
                              "total_ns",
                              "total_ns_min",
                              "total_ns_max",
                              "share_of_wall",
                              "mean_ns",
                              "p50_ns",
                              "p99_ns",
                              "min_ns",
                              "max_ns",
                              "bytes_per_rep",
                              "flops_per_rep",
                              "gb_per_s",
                              "tflop_per_s",
                              "share_of_roof",
                              "roof_bound",
                              "run_valid"});
    for (const PhaseRow& phase : report.phases) {
        if (phase.mode != Mode::profiled) continue;
        for (const KernelRow& row : report.kernels) {
            if (row.phase == phase.phase) out += kernel_record(report, row);
        }
        KernelRow gap{
            .phase = phase.phase, .role = "(gap)", .path = phase.phase, .kernel = "(gap)"};
        gap.total_ns = phase.gap_ns;
        if (phase.gap_ns && phase.wall_ns && phase.wall_ns->median > 0) {
            const double share = phase.gap_ns->median / phase.wall_ns->median;
            gap.share = Spread{.median = share, .min = share, .max = share, .n = 1};
        }
        out += kernel_record(report, gap);
    }
    return out;
}

std::string comparison_csv(const Comparison& comparison) {
    std::string out = record({"kind", "name", "kernel", "unit", "a", "b", "b_over_a", "b_minus_a"});
    const auto add = [&](const char* kind, const std::string& name, const std::string& kernel,
                         const std::string& unit, std::optional<double> a,
                         std::optional<double> b) {
        const bool both = a && b;
        out += record({kind, name, kernel, unit, field(a), field(b),
                       both && *a != 0 ? field(*b / *a) : "", both ? field(*b - *a) : ""});
    };
    for (const MetricPair& m : comparison.metrics) {
        add("metric", m.name, "", m.unit, middle(m.a), middle(m.b));
    }
    for (const KernelPair& k : comparison.kernels) {
        add("kernel", k.path, k.kernel, "ns", k.a_ns, k.b_ns);
    }
    for (const CountPair& c : comparison.counts) {
        add("count", c.name, "", c.unit, c.a, c.b);
    }
    return out;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Rows of comma-separated fields; an unknown number is an empty field.
#include "reports/render/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "reports/render/csv_text.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

std::optional<double> least(const Figure& figure) {
    return figure ? std::optional(figure->min) : std::nullopt;
}

std::optional<double> most(const Figure& figure) {
    return figure ? std::optional(figure->max) : std::nullopt;
}

std::string kernel_record(const Report& report, const KernelRow& row) {
    return csv_record({std::to_string(report.run.id),
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
                       csv_number(middle(row.calls)),
                       csv_number(least(row.calls)),
                       csv_number(most(row.calls)),
                       csv_number(middle(row.total_ns)),
                       csv_number(least(row.total_ns)),
                       csv_number(most(row.total_ns)),
                       csv_number(middle(row.share)),
                       csv_number(middle(row.mean_ns)),
                       csv_number(row.p50_ns),
                       csv_number(row.p99_ns),
                       csv_number(row.min_ns),
                       csv_number(row.max_ns),
                       csv_number(row.bytes),
                       csv_number(row.flops),
                       csv_number(row.gb_per_s),
                       csv_number(row.tflop_per_s),
                       csv_number(row.roof_share),
                       row.roof_bound,
                       report.valid ? "1" : "0",
                       report.arm.name,
                       "",
                       "",
                       ""});
}

// A text's loss: no kernel, so of the figures only those behind the arm.
std::string loss_record(const Report& report, const LossRow& row) {
    std::vector<std::string> fields = {std::to_string(report.run.id),
                                       report.scenario.name,
                                       report.model.name,
                                       report.build.commit.value_or(""),
                                       report.machine.machine_class,
                                       "score",
                                       row.name,
                                       "(loss)",
                                       "(loss)"};
    fields.resize(29);
    for (std::string& text : std::vector<std::string>{
             report.valid ? "1" : "0", report.arm.name, std::to_string(row.tokens),
             csv_number(row.nll_mean), csv_number(row.nll_sum)}) {
        fields.push_back(std::move(text));
    }
    return csv_record(fields);
}

std::string arm_records(const Report& report) {
    std::string out;
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
    for (const LossRow& row : report.losses) out += loss_record(report, row);
    return out;
}

}  // namespace

std::string report_csv(const Report& report) {
    std::string out = csv_record({"run",
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
                                  "run_valid",
                                  "arm",
                                  "tokens_predicted",
                                  "nll_mean",
                                  "nll_sum"});
    for (const Report* arm : arms_of(report)) out += arm_records(*arm);
    return out;
}

namespace {

std::string comparison_records(const Comparison& comparison) {
    std::string out;
    const auto add = [&](const char* kind, const std::string& name, const std::string& kernel,
                         const std::string& unit, std::optional<double> a,
                         std::optional<double> b) {
        const bool both = a && b;
        out += csv_record({kind, name, kernel, unit, csv_number(a), csv_number(b),
                           both && *a != 0 ? csv_number(*b / *a) : "",
                           both ? csv_number(*b - *a) : "", comparison.a.arm.name});
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

}  // namespace

std::string comparison_csv(const std::vector<Comparison>& comparisons) {
    std::string out =
        csv_record({"kind", "name", "kernel", "unit", "a", "b", "b_over_a", "b_minus_a", "arm"});
    for (const Comparison& comparison : comparisons) out += comparison_records(comparison);
    return out;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Metrics, kernels, tokens and counts of two runs, with their headers where they differ.
#include "reports/render/comparison_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/report_document.h"
#include "reports/render/text.h"
#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

std::string metric_text(const std::string& unit, const Figure& figure) {
    if (unit == "ns") return duration(middle(figure));
    return figure ? fmt::format("{:.1f}", figure->median) : unknown;
}

std::string ratio_text(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.4f}", *ratio) : unknown;
}

Section metric_section(const Comparison& comparison) {
    Section section{.title = "Metrics (medians of timed trials)",
                    .columns = {{"metric", Align::left, true},
                                {"better", Align::left},
                                {comparison.a_name},
                                {comparison.a_name + " of reps"},
                                {comparison.b_name},
                                {comparison.b_name + " of reps"},
                                {comparison.b_name + " / " + comparison.a_name}},
                    .notes = {comparison.why_no_verdict}};
    for (const MetricPair& m : comparison.metrics) {
        const bool is_time = m.unit == "ns";
        section.rows.push_back({m.name, name(m.direction), metric_text(m.unit, m.a),
                                is_time ? range(m.a) : unknown, metric_text(m.unit, m.b),
                                is_time ? range(m.b) : unknown, ratio_text(m.ratio)});
    }
    return section;
}

std::string difference_name(const Comparison& comparison) {
    return comparison.b_name + " - " + comparison.a_name;
}

Section role_section(const Comparison& comparison) {
    Section section{.title = "Roles (profiled, per rep; largest difference first)",
                    .columns = {{"role", Align::left, true},
                                {comparison.a_name},
                                {comparison.b_name},
                                {difference_name(comparison)}}};
    for (const KernelPair& k : comparison.roles) {
        section.rows.push_back({k.path, duration(k.a_ns), duration(k.b_ns), duration(k.delta_ns)});
    }
    return section;
}

Section kernel_section(const Comparison& comparison, const Options& options) {
    Section section{.title = "Kernels (profiled, per rep; largest difference first)",
                    .columns = {{"path", Align::left, true},
                                {"kernel", Align::left, true},
                                {comparison.a_name},
                                {comparison.b_name},
                                {difference_name(comparison)}}};
    for (const KernelPair& k : comparison.kernels) {
        if (options.top > 0 && section.rows.size() >= static_cast<std::size_t>(options.top)) {
            section.notes.push_back(
                fmt::format("{} more: --top 0", comparison.kernels.size() - section.rows.size()));
            break;
        }
        section.rows.push_back(
            {k.path, k.kernel, duration(k.a_ns), duration(k.b_ns), duration(k.delta_ns)});
    }
    return section;
}

// All that differ; of the equal ones only how many they are.
Section count_section(const Comparison& comparison) {
    Section section{.title = "Counts that differ",
                    .columns = {{"name", Align::left, true},
                                {"exact", Align::left},
                                {comparison.a_name},
                                {comparison.b_name}}};
    int equal = 0;
    for (const CountPair& c : comparison.counts) {
        if (c.a && c.b && *c.a == *c.b) {
            ++equal;
            continue;
        }
        section.rows.push_back({c.name, c.exact ? "yes" : "no", quantity(c.a), quantity(c.b)});
    }
    if (section.rows.empty()) {
        section.title = "Counts";
        section.columns.clear();
    }
    section.notes.push_back(fmt::format("{} counts are equal", equal));
    return section;
}

}  // namespace

std::vector<Section> comparison_sections(const Comparison& comparison, const Options& options) {
    std::vector<Section> sections = {
        metric_section(comparison), role_section(comparison), kernel_section(comparison, options),
        token_section(comparison.tokens, comparison.a_name, comparison.b_name),
        count_section(comparison)};
    std::erase_if(sections, [](const Section& section) {
        return section.rows.empty() && section.notes.empty();
    });
    return sections;
}

Document comparison_document(const Comparison& comparison, const Options& options) {
    const Report &a = comparison.a, &b = comparison.b;
    Document document{
        .title = fmt::format("runs {} (a) and {} (b) · {}{}", a.run.id, b.run.id, a.scenario.name,
                             a.all_arms.size() > 1 ? " · arm " + a.arm.name : ""),
        .alarm = !a.valid || !b.valid};
    const auto of_a = header_of(a), of_b = header_of(b);
    for (const auto& [label, text] : of_a) {
        for (const auto& [other_label, other_text] : of_b) {
            if (label != other_label) continue;
            if (text == other_text) {
                document.header.push_back({label, text});
            } else {
                document.header.push_back({label + " a", text});
                document.header.push_back({label + " b", other_text});
            }
        }
    }
    for (const std::string& reason : a.reasons) document.alarms.push_back("a: " + reason);
    for (const std::string& reason : b.reasons) document.alarms.push_back("b: " + reason);
    document.sections = comparison_sections(comparison, options);
    return document;
}

Document side_by_side_document(const Report& report, const Options& options) {
    const Report& first = report;
    Document document{
        .title = fmt::format("run {} · {} · its arms side by side · {}", report.run.id,
                             report.scenario.name, run_is_valid(report) ? "valid" : "INVALID"),
        .alarm = !run_is_valid(report),
        .header = {},
        .alarms = run_reasons(report)};
    for (const Report& other : report.other_arms) {
        const Comparison comparison = compare_arms(first, other);
        for (Section& section : comparison_sections(comparison, options)) {
            if (report.other_arms.size() > 1) {
                section.title += fmt::format(": {} and {}", first.arm.name, other.arm.name);
            }
            document.sections.push_back(std::move(section));
        }
    }
    document.footer.push_back(fmt::format("More: tare report {} --arm NAME (one arm: {})",
                                          report.run.id, fmt::join(report.all_arms, ", ")));
    return document;
}

}  // namespace reports::render

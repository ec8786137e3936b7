// SPDX-License-Identifier: Apache-2.0
// Tables a person reads from top to bottom: the verdict, what decided it, who is to blame.
#include <algorithm>

#include <fmt/format.h>

#include "reports/render/text.h"
#include "reports/render/verdict.h"
#include "reports/render/verdict_text.h"
#include "reports/render/waterfall_steps.h"

namespace reports::render {
namespace {

// Metrics that could not be measured in one arm say nothing at all.
bool is_shown(const MetricVerdict& metric) {
    return metric.margin || (metric.a && metric.b);
}

// `said`: reasons that stand above already.
Section metric_section(const PairVerdict& pair, const std::vector<std::string>& said) {
    Section section{
        .title = fmt::format("Metrics, {} against {} (timed rounds, paired)", pair.b, pair.a),
        .columns = {{"metric", Align::left, true},
                    {pair.a},
                    {pair.b},
                    {"change"},
                    {"interval", Align::right, false, 1},
                    {"margin"},
                    {"rounds", Align::right, false, 2},
                    {"verdict", Align::left}}};
    for (const MetricVerdict& metric : pair.metrics) {
        if (!is_shown(metric)) continue;
        section.rows.push_back({metric.name, value_text(metric.unit, metric.a),
                                value_text(metric.unit, metric.b), change_text(metric.ratio),
                                change_interval_text(metric.interval), margin_text(metric),
                                std::to_string(metric.rounds), verdict_text(metric)});
        const std::string note =
            fmt::format("{} {}: {}", metric.name, verdict_text(metric), metric.reason);
        const bool is_said = std::find(said.begin(), said.end(), note) != said.end();
        if (metric.verdict && !is_said) section.notes.push_back(note);
    }
    return section;
}

void cut(Section& section, std::size_t all, int top) {
    if (top > 0 && all > section.rows.size())
        section.notes.push_back(fmt::format("{} more: --top 0", all - section.rows.size()));
}

bool has_room(const Section& section, int top) {
    return top == 0 || section.rows.size() < static_cast<std::size_t>(top);
}

Section role_section(const PairVerdict& pair, int top) {
    Section section{.title = "Roles by phase (exposed time per rep, profiled rounds)",
                    .columns = {{"phase", Align::left},
                                {"role", Align::left, true},
                                {pair.a},
                                {pair.b},
                                {pair.b + " - " + pair.a},
                                {"interval", Align::right, false, 1},
                                {"q", Align::right, false, 2}}};
    for (const BlameRow& row : pair.roles) {
        if (!has_room(section, top)) break;
        section.rows.push_back({row.phase, row.role, duration(row.a_ns), duration(row.b_ns),
                                signed_duration(row.delta_ns), duration_interval_text(row.interval),
                                row.q ? fmt::format("{:.2g}", *row.q) : unknown});
    }
    cut(section, pair.roles.size(), top);
    return section;
}

Section kernel_section(const PairVerdict& pair, bool whole_ops, int top) {
    Section section{
        .title = whole_ops ? "Blame: kernels by change of exposed time ('*': all layers together)"
                           : "Blame by range path",
        .columns = {{"path", Align::left, true},
                    {"kernel", Align::left, true, 3},
                    {pair.a},
                    {pair.b},
                    {pair.b + " - " + pair.a},
                    {"interval", Align::right, false, 1}}};
    std::size_t all = 0;
    for (const BlameRow& row : pair.kernels) {
        if (row.whole_op != whole_ops) continue;
        ++all;
        if (!has_room(section, top)) continue;
        section.rows.push_back({row.path, kernel_text(row), duration(row.a_ns), duration(row.b_ns),
                                signed_duration(row.delta_ns),
                                duration_interval_text(row.interval)});
    }
    cut(section, all, top);
    return section;
}

constexpr std::size_t most_kernels_of_a_waterfall = 5;

Section waterfall_section(const PairVerdict& pair, const Waterfall& waterfall) {
    Section section{.title = fmt::format("Where the change of {} went ({} - {}, a rep)",
                                         waterfall.phase, pair.b, pair.a),
                    .columns = {{"part", Align::left, true},
                                {"change"},
                                {"interval", Align::right, false, 1},
                                {"where", Align::left, true}},
                    .closing_rows = 1};
    if (waterfall.profiling_changed_the_answer)
        section.title = "PROFILING CHANGED THE ANSWER: nobody is blamed. " + section.title;
    for (const WaterfallStep& step : waterfall_steps(pair, waterfall, most_kernels_of_a_waterfall))
        section.rows.push_back(
            {step.name, step.text, duration_interval_text(step.interval), step.about});
    return section;
}

Section count_section(const PairVerdict& pair) {
    Section section{
        .title = "Counts that differ",
        .columns = {{"name", Align::left, true}, {"exact", Align::left}, {pair.a}, {pair.b}}};
    int equal = 0;
    for (const CountVerdict& count : pair.counts) {
        if (count.a && count.b && *count.a == *count.b) {
            ++equal;
            continue;
        }
        section.rows.push_back(
            {count.name, count.exact ? "yes" : "no", quantity(count.a), quantity(count.b)});
    }
    if (section.rows.empty()) {
        section.title = "Counts";
        section.columns.clear();
    }
    section.notes.push_back(fmt::format("{} counts are equal", equal));
    return section;
}

// Kernels that are not by the same name at the same path in both arms.
Section match_section(const PairVerdict& pair, int top) {
    Section section{.title = "Kernels that are not the same in both arms",
                    .columns = {{"is", Align::left},
                                {"kernel", Align::left, true},
                                {pair.b + " - " + pair.a},
                                {"path", Align::left, true}}};
    std::size_t all = 0;
    for (const BlameRow& row : pair.kernels) {
        if (row.match == Match::matched || !row.whole_op) continue;
        ++all;
        if (!has_room(section, top)) continue;
        section.rows.push_back({name(row.match),
                                row.kernel + (row.kernel_b.empty() ? "" : " -> " + row.kernel_b),
                                signed_duration(row.delta_ns), row.path});
    }
    cut(section, all, top);
    // However kernels were paired, the path as a whole is compared.
    for (const BlameRow& path : pair.paths)
        if (std::any_of(pair.kernels.begin(), pair.kernels.end(), [&](const BlameRow& row) {
                return row.path == path.path && row.match != Match::matched && row.whole_op;
            }))
            section.rows.push_back(
                {"total", "all of the path", signed_duration(path.delta_ns), path.path});
    return section;
}

Section unsteady_section(const PairVerdict& pair, int top) {
    Section section{.title = "Kernels that an arm ran in some of its rounds only",
                    .columns = {{"arm", Align::left},
                                {"kernel", Align::left, true},
                                {"rounds"},
                                {"path", Align::left, true}}};
    for (const UnsteadyKernel& one : pair.unsteady) {
        if (!has_room(section, top)) break;
        section.rows.push_back(
            {one.arm, one.kernel, fmt::format("{} of {}", one.seen, one.rounds), one.path});
    }
    cut(section, pair.unsteady.size(), top);
    return section;
}

// The phase whose metric made the verdict is what a reader looks for.
std::vector<const Waterfall*> deciding_first(const PairVerdict& pair) {
    std::vector<const Waterfall*> out;
    for (const Waterfall& one : pair.waterfalls) out.push_back(&one);
    std::stable_partition(out.begin(), out.end(), [&](const Waterfall* one) {
        return std::any_of(pair.metrics.begin(), pair.metrics.end(), [&](const auto& metric) {
            return metric.name == one->phase + ".wall_ns" && metric.verdict == pair.verdict;
        });
    });
    return out;
}

}  // namespace

Document verdict_document(const ComparisonReport& report, int top) {
    const bool alarm = report.verdict == Verdict::regressed || report.verdict == Verdict::invalid;
    Document document{.title = fmt::format("run {} · {} · {}", report.run.id, report.scenario.name,
                                           headline_word(report.verdict)),
                      .alarm = alarm};
    document.header = header_of(report);
    for (const std::string& reason : report.reasons) document.alarms.push_back(reason);
    for (const PairVerdict& pair : report.pairs) {
        document.sections.push_back(metric_section(pair, report.reasons));
        document.sections.push_back(token_section(pair.tokens, pair.a, pair.b));
        document.sections.push_back(count_section(pair));
        for (const Waterfall* waterfall : deciding_first(pair))
            document.sections.push_back(waterfall_section(pair, *waterfall));
        document.sections.push_back(unsteady_section(pair, top));
        document.sections.push_back(match_section(pair, top));
        document.sections.push_back(kernel_section(pair, true, top));
        if (top == 0) document.sections.push_back(kernel_section(pair, false, top));
        document.sections.push_back(role_section(pair, top));
    }
    std::erase_if(document.sections, [](const Section& section) {
        return section.rows.empty() && section.notes.empty();
    });
    if (report.run.status == "interrupted")
        document.footer.push_back(
            fmt::format("It was cut off: `tare ab --resume {}` goes on", report.run.id));
    document.footer.push_back(
        fmt::format("More: tare explain {0} · tare report {0} --arm NAME · tare report {0} "
                    "--format html --out {0}.html",
                    report.run.id));
    return document;
}

}  // namespace reports::render

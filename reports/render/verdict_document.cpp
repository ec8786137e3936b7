// SPDX-License-Identifier: Apache-2.0
// Tables a person reads from top to bottom: the verdict, what decided it, who is to blame.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/render/text.h"
#include "reports/render/verdict.h"

namespace reports::render {
namespace {

std::string change(double ratio) {
    return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

std::string change_interval(const MetricVerdict& metric) {
    if (!metric.interval) return unknown;
    return fmt::format("{} .. {}", change(metric.interval->lo), change(metric.interval->hi));
}

std::string value_text(const std::string& unit, const Figure& figure) {
    if (!figure) return unknown;
    if (unit == "ns") return duration(figure->median);
    return scaled(figure->median, unit == "bytes" ? "B" : unit.c_str());
}

std::string signed_duration(double ns) {
    return (ns < 0 ? "-" : "+") + duration(std::abs(ns));
}

std::string ns_interval(const std::optional<ChangeInterval>& interval) {
    if (!interval) return unknown;
    return fmt::format("{} .. {}", signed_duration(interval->lo), signed_duration(interval->hi));
}

// Metrics that could not be measured in one arm say nothing at all.
bool is_shown(const MetricVerdict& metric) {
    return metric.margin || (metric.a && metric.b);
}

Section metric_section(const PairVerdict& pair) {
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
        section.rows.push_back(
            {metric.name, value_text(metric.unit, metric.a), value_text(metric.unit, metric.b),
             metric.ratio ? change(*metric.ratio) : unknown, change_interval(metric),
             metric.margin ? fmt::format("{:g} %", 100 * *metric.margin) : unknown,
             std::to_string(metric.rounds), metric.verdict ? name(*metric.verdict) : "not gated"});
        if (metric.verdict)
            section.notes.push_back(fmt::format("{}: {}", metric.name, metric.reason));
    }
    return section;
}

std::string kernel_name(const BlameRow& row) {
    return row.kernel_b.empty() ? row.kernel : row.kernel + " -> " + row.kernel_b;
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
                                signed_duration(row.delta_ns), ns_interval(row.interval),
                                row.q ? fmt::format("{:.2g}", *row.q) : unknown});
    }
    cut(section, pair.roles.size(), top);
    return section;
}

Section blame_section(const PairVerdict& pair, int top) {
    Section section{.title = "Blame: kernels by change of exposed time ('*': all layers together)",
                    .columns = {{"path", Align::left, true},
                                {"kernel", Align::left, true, 3},
                                {"is", Align::left, false, 4},
                                {pair.a},
                                {pair.b},
                                {pair.b + " - " + pair.a},
                                {"interval", Align::right, false, 1}}};
    for (const BlameRow& row : pair.kernels) {
        if (!has_room(section, top)) break;
        section.rows.push_back({row.path, kernel_name(row), name(row.match), duration(row.a_ns),
                                duration(row.b_ns), signed_duration(row.delta_ns),
                                ns_interval(row.interval)});
    }
    cut(section, pair.kernels.size(), top);
    return section;
}

std::vector<std::string> waterfall_row(const std::string& what,
                                       double delta_ns,
                                       const std::optional<ChangeInterval>& interval) {
    return {what, signed_duration(delta_ns), ns_interval(interval)};
}

Section waterfall_section(const PairVerdict& pair, const Waterfall& waterfall) {
    Section section{.title = fmt::format("Where the change of {} went ({} - {})", waterfall.phase,
                                         pair.b, pair.a),
                    .columns = {{"part", Align::left}, {"change"}, {"interval"}},
                    .closing_rows = 1};
    if (waterfall.profiling_changed_the_answer)
        section.title = "PROFILING CHANGED THE ANSWER: nobody is blamed. " + section.title;
    for (const Waterfall::Row& row : waterfall.rows)
        section.rows.push_back(waterfall_row(row.name, row.delta_ns, row.interval));
    section.rows.push_back(
        waterfall_row("rest (estimates of medians do not add up)", waterfall.rest_ns, {}));
    section.rows.push_back(waterfall_row("wall time", waterfall.wall_ns, {}));
    return section;
}

Section token_section(const PairVerdict& pair) {
    Section section{.title = "Tokens"};
    const TokenVerdict& tokens = pair.tokens;
    if (!tokens.identical) {
        section.notes.push_back("not compared: an arm has no output");
    } else if (*tokens.identical) {
        section.notes.push_back("identical");
    } else if (const auto& at = tokens.first_divergence) {
        section.notes.push_back(fmt::format(
            "different from request {}, position {} on: token {} in {}, {} in {}; margin of {} "
            "there: {}; {} of positions agree",
            at->request, at->position, at->a_token ? std::to_string(*at->a_token) : "none", pair.a,
            at->b_token ? std::to_string(*at->b_token) : "none", pair.b, pair.a,
            at->margin ? fmt::format("{:.4g} logits", *at->margin) : unknown,
            percent(tokens.agreement)));
    }
    for (const auto& [repeats, arm] :
         {std::pair{tokens.a_repeats, pair.a}, {tokens.b_repeats, pair.b}})
        if (!repeats)
            section.notes.push_back(
                fmt::format("trials of {} disagree among themselves: not the same twice", arm));
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

std::string arm_text(const ArmSummary& arm) {
    std::string text = arm.spec.empty() ? "the build at hand" : arm.spec;
    if (arm.commit)
        text += fmt::format(" · commit {}{}", short_hash(*arm.commit),
                            arm.dirty_diff_sha256 ? " with changes" : "");
    if (arm.binary_sha256 && !arm.binary_sha256->empty())
        text += " · binary " + short_hash(*arm.binary_sha256);
    text += fmt::format(" · {} timed, {} profiled trials", arm.timed, arm.profiled);
    if (arm.failed > 0) text += fmt::format(", {} failed", arm.failed);
    return text + (arm.planted ? " · FAULT PLANTED" : "");
}

void add_header(const ComparisonReport& report, Document& document) {
    for (const ArmSummary& arm : report.arms)
        document.header.push_back({"arm " + arm.name, arm_text(arm)});
    document.header.push_back(
        {"rounds",
         fmt::format(
             "{} of at most {}{}, looks after {}, seed {}", report.rounds,
             report.plan.looks.empty() ? report.rounds : report.plan.looks.back(),
             report.replaced_rounds > 0 ? fmt::format(", {} replaced", report.replaced_rounds) : "",
             fmt::join(report.plan.looks, ", "), report.plan.seed)});
    document.header.push_back({"machine", report.machine.machine_class});
    document.header.push_back({"margins", report.plan.calibration});
}

}  // namespace

Document verdict_document(const ComparisonReport& report, int top) {
    const bool alarm = report.verdict == Verdict::regressed || report.verdict == Verdict::invalid;
    std::string word = name(report.verdict);
    if (alarm)
        std::transform(word.begin(), word.end(), word.begin(),
                       [](char c) { return static_cast<char>(std::toupper(c)); });
    Document document{
        .title = fmt::format("run {} · {} · {}", report.run.id, report.scenario.name, word),
        .alarm = alarm};
    add_header(report, document);
    for (const std::string& reason : report.reasons) document.alarms.push_back(reason);
    for (const PairVerdict& pair : report.pairs) {
        document.sections.push_back(metric_section(pair));
        document.sections.push_back(token_section(pair));
        document.sections.push_back(count_section(pair));
        for (const Waterfall& waterfall : pair.waterfalls)
            document.sections.push_back(waterfall_section(pair, waterfall));
        document.sections.push_back(role_section(pair, top));
        document.sections.push_back(blame_section(pair, top));
    }
    std::erase_if(document.sections, [](const Section& section) {
        return section.rows.empty() && section.notes.empty();
    });
    document.footer.push_back(fmt::format("More: tare explain {} · tare report {} --arm NAME",
                                          report.run.id, report.run.id));
    return document;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
#include "reports/render/verdict_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/records/tokens.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

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

std::string rounds_text(const ComparisonReport& report) {
    return fmt::format(
        "{} of at most {}{}{}, looks after {}, seed {}", report.rounds,
        report.plan.looks.empty() ? report.rounds : report.plan.looks.back(),
        report.replaced_rounds > 0 ? fmt::format(", {} replaced", report.replaced_rounds) : "",
        report.void_trials > 0 ? fmt::format(", {} trials void (cut off)", report.void_trials) : "",
        fmt::join(report.plan.looks, ", "), report.plan.seed);
}

}  // namespace

std::string change_text(double ratio) {
    return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

std::string change_text(const std::optional<double>& ratio) {
    return ratio ? change_text(*ratio) : unknown;
}

std::string change_interval_text(const std::optional<ChangeInterval>& ratio) {
    if (!ratio) return unknown;
    return fmt::format("{} .. {}", change_text(ratio->lo), change_text(ratio->hi));
}

std::string signed_duration(double ns) {
    return (ns < 0 ? "-" : "+") + duration(std::abs(ns));
}

std::string duration_interval_text(const std::optional<ChangeInterval>& ns) {
    if (!ns) return unknown;
    return fmt::format("{} .. {}", signed_duration(ns->lo), signed_duration(ns->hi));
}

std::string value_text(const std::string& unit, const Figure& figure) {
    return figure ? measured(figure->median, unit) : unknown;
}

std::string margin_text(const MetricVerdict& metric) {
    return metric.margin ? fmt::format("{:g} %", 100 * *metric.margin) : unknown;
}

std::string verdict_text(const MetricVerdict& metric) {
    return metric.verdict ? name(*metric.verdict) : "not gated";
}

std::string kernel_text(const BlameRow& row) {
    const std::string both = row.kernel_b.empty() ? row.kernel : row.kernel + " -> " + row.kernel_b;
    return row.match == Match::matched ? both : fmt::format("{} [{}]", both, name(row.match));
}

bool is_shown(const MetricVerdict& metric) {
    return metric.margin || (metric.a && metric.b);
}

bool is_sure(const std::optional<ChangeInterval>& change) {
    return change && (change->lo > 0 || change->hi < 0);
}

const char* meaning(Verdict verdict, bool exact) {
    switch (verdict) {
        case Verdict::improved:
            return "better by at least the margin, and surely better";
        case Verdict::same:
            return "if there is a change, it is smaller than the margin";
        case Verdict::regressed:
            return exact ? "what must be equal is not"
                         : "worse by at least the margin, and surely worse";
        case Verdict::inconclusive:
            return "these rounds neither show a change nor rule one out";
        case Verdict::invalid:
            return "the comparison cannot be trusted, whatever its times are";
    }
    return "";
}

std::string headline_word(Verdict verdict) {
    std::string word = name(verdict);
    if (verdict == Verdict::regressed || verdict == Verdict::invalid)
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return word;
}

std::vector<std::string> token_lines(const TokenVerdict& tokens,
                                     const std::string& a,
                                     const std::string& b) {
    std::vector<std::string> out;
    if (!tokens.identical)
        out.push_back("not compared: one of the two has no output");
    else
        out.push_back(*tokens.identical ? "identical" : token_sentence(tokens, a, b));
    for (const auto& [repeats, arm] : {std::pair{tokens.a_repeats, a}, {tokens.b_repeats, b}})
        if (!repeats)
            out.push_back(
                fmt::format("trials of {} disagree among themselves: not the same twice", arm));
    return out;
}

Section token_section(const TokenVerdict& tokens, const std::string& a, const std::string& b) {
    return {.title = "Tokens", .columns = {}, .rows = {}, .notes = token_lines(tokens, a, b)};
}

std::vector<std::pair<std::string, std::string>> header_of(const ComparisonReport& report) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const ArmSummary& arm : report.arms) out.push_back({"arm " + arm.name, arm_text(arm)});
    out.push_back({"rounds", rounds_text(report)});
    out.push_back({"machine", report.machine.machine_class});
    out.push_back({"margins", report.plan.calibration});
    return out;
}

}  // namespace reports::render

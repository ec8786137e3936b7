// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: the verdict with its reasons, what shows it, then each arm's breakdown.
#include "reports/render/html_comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/records/tokens.h"
#include "reports/render/html.h"
#include "reports/render/html_parts.h"
#include "reports/render/html_plot.h"
#include "reports/render/html_text.h"
#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

std::string chip(const std::optional<Verdict>& verdict, const std::string& word) {
    return element("span", fmt::format(R"(class="chip {}")", mark_class(verdict)),
                   escaped_html(word));
}

std::string reason_item(const std::string& what,
                        const std::optional<Verdict>& verdict,
                        const std::string& word,
                        const std::string& why) {
    return element("li", element("b", escaped_html(what)) + ' ' + chip(verdict, word) + ' ' +
                             element("span", escaped_html(why))) +
           '\n';
}

std::string token_item(const PairVerdict& pair) {
    const TokenVerdict& tokens = pair.tokens;
    if (!tokens.identical) return {};
    if (*tokens.identical) return reason_item("tokens", Verdict::same, "identical", "");
    const bool repeats = tokens.a_repeats && tokens.b_repeats;
    return reason_item("tokens", repeats ? Verdict::regressed : Verdict::inconclusive,
                       repeats ? "differ" : "not judged", token_sentence(tokens, pair.a, pair.b));
}

std::string count_items(const PairVerdict& pair) {
    std::string out;
    int equal = 0;
    for (const CountVerdict& count : pair.counts) {
        if (!count.equal) continue;
        if (*count.equal)
            ++equal;
        else
            out += reason_item(count.name, Verdict::regressed, "differs",
                               fmt::format("an exact count: {:.15g} in {}, {:.15g} in {}", *count.a,
                                           pair.a, *count.b, pair.b));
    }
    if (!out.empty() || equal == 0) return out;
    return reason_item("exact counts", Verdict::same, "equal", fmt::format("all {}", equal));
}

// Every metric that is gated has its reason, and what must be equal.
std::string reason_list(const PairVerdict& pair) {
    std::string items;
    if (pair.verdict == Verdict::invalid)
        for (const std::string& reason : pair.reasons)
            items += reason_item("comparison", Verdict::invalid, "invalid", reason);
    static constexpr Verdict worst_first[] = {Verdict::regressed, Verdict::invalid,
                                              Verdict::inconclusive, Verdict::improved,
                                              Verdict::same};
    for (const Verdict verdict : worst_first)
        for (const MetricVerdict& metric : pair.metrics)
            if (metric.verdict == verdict)
                items += reason_item(metric.name, verdict, name(verdict), metric.reason);
    items = pair.exact_regressed ? token_item(pair) + count_items(pair) + items
                                 : items + token_item(pair) + count_items(pair);
    return element("ul", R"(class="reasons")", '\n' + items);
}

const char* judgement_class(Verdict verdict) {
    switch (verdict) {
        case Verdict::regressed:
        case Verdict::invalid:
            return R"(class="judgement bad" role="alert")";
        case Verdict::inconclusive:
            return R"(class="judgement unsure")";
        default:
            return R"(class="judgement good")";
    }
}

// What decided is a difference in what must be equal.
bool is_exact(const ComparisonReport& report) {
    return std::any_of(report.pairs.begin(), report.pairs.end(),
                       [](const PairVerdict& pair) { return pair.exact_regressed; });
}

std::string judgement(const ComparisonReport& report) {
    std::string body = element("strong", headline_word(report.verdict)) +
                       element("p", meaning(report.verdict, is_exact(report))) + '\n';
    for (const PairVerdict& pair : report.pairs) {
        std::string title = escaped_html(fmt::format("{} against {}", pair.b, pair.a));
        if (report.pairs.size() > 1) title += ": " + chip(pair.verdict, name(pair.verdict));
        body += element("h3", title) + '\n' + reason_list(pair);
    }
    if (report.pairs.empty())
        for (const std::string& reason : report.reasons) body += element("p", escaped_html(reason));
    return element("div", judgement_class(report.verdict), body) + '\n';
}

std::vector<HtmlPart> pair_parts(const ComparisonReport& report, const PairVerdict& pair) {
    std::vector<HtmlPart> parts = {
        {"metrics", "Metrics",
         fmt::format("{} against {}, timed rounds without the probe.", pair.b, pair.a),
         forest_html(pair) + metric_table_html(pair)},
        {"rounds", "Paired rounds",
         "In every round each arm ran once, in a drawn order: what drifts hits both.",
         rounds_html(pair, report.replaced)}};
    for (const Waterfall& waterfall : pair.waterfalls)
        parts.push_back(
            {"waterfall-" + html_id(waterfall.phase), waterfall.phase + ": where the change went",
             fmt::format("{} − {} per rep, profiled rounds. Pale: the interval holds 0, "
                         "so not even the sign is known.",
                         pair.b, pair.a),
             waterfall_html(pair, waterfall), waterfall.phase + " change"});
    parts.push_back({"blame", "Kernels and roles", "", blame_html(pair), "Blame"});
    parts.push_back({"tokens", "Tokens", "", tokens_html(pair)});
    parts.push_back({"pair-counts", "Counts of both arms", "", pair_counts_html(pair)});
    return parts;
}

}  // namespace

std::vector<HtmlPart> comparison_parts(const ComparisonReport& report) {
    std::vector<HtmlPart> all;
    for (std::size_t i = 0; i < report.pairs.size(); ++i) {
        const PairVerdict& pair = report.pairs[i];
        auto parts = pair_parts(report, pair);
        if (report.pairs.size() > 1)
            parts = told_apart(std::move(parts), fmt::format("{} against {}", pair.b, pair.a),
                               fmt::format("pair{}", i));
        for (HtmlPart& part : parts) all.push_back(std::move(part));
    }
    all.push_back({"replaced", "Rounds that do not count", "", replaced_html(report), "Replaced"});
    return all;
}

std::string comparison_html(const ComparisonReport& report, const Report& breakdown) {
    std::vector<HtmlPart> parts = comparison_parts(report);
    for (HtmlPart& part : breakdown_parts(breakdown)) parts.push_back(std::move(part));
    return html(HtmlPage{
        .title = fmt::format("{} · run {} · {} · tare", report.scenario.name, report.run.id,
                             headline_word(report.verdict)),
        .tool = "tare comparison",
        .heading = report.scenario.name,
        .run = fmt::format("run {} · {} · {}", report.run.id, report.run.started_utc,
                           report.run.status),
        .judgement = judgement(report),
        .facts_label = "What was compared",
        .facts = header_of(report),
        .parts = std::move(parts),
        .footer = fmt::format(
            "timed trials ran without the probe and decide; profiled ones ran with it, in "
            "processes of their own, and say who is to blame. \"-\": not known. More: tare explain "
            "{0}, tare compare {0} --format json, tare show {0}, tare export {0}",
            report.run.id),
        .alarm = report.verdict == Verdict::invalid});
}

}  // namespace reports::render

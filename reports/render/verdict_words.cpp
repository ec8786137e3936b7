// SPDX-License-Identifier: Apache-2.0
// A comparison told to somebody who was not there: what was compared, the verdict and the number
// that made it, who is to blame, whether the same was said and done, what to run next.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/format/printable.h"
#include "reports/render/metric_words.h"
#include "reports/render/text.h"
#include "reports/render/verdict.h"
#include "reports/render/verdict_text.h"
#include "reports/render/waterfall_steps.h"

namespace reports::render {
namespace {

// Paragraphs with a label in front; "" goes on below the one before.
struct Paragraph {
    std::string label, text;
};

using Paragraphs = std::vector<Paragraph>;

std::string arm_words(const ArmSummary& arm) {
    return fmt::format("{}: {}{}{}", arm.name, arm.spec.empty() ? "the build at hand" : arm.spec,
                       arm.commit ? fmt::format(" (commit {}{})", short_hash(*arm.commit),
                                                arm.dirty_diff_sha256 ? " with changes" : "")
                                  : "",
                       arm.planted ? ", with a fault planted on purpose" : "");
}

Paragraphs what_was_compared(const ComparisonReport& report) {
    Paragraphs out;
    for (const ArmSummary& arm : report.arms) out.push_back({"", arm_words(arm)});
    out.push_back(
        {"",
         fmt::format("{} rounds; in each, every arm ran once as a fresh process, in a drawn "
                     "order, so that what drifts hits all of them{}",
                     report.rounds,
                     report.replaced_rounds > 0
                         ? fmt::format(". {} more rounds had a trial that failed: they were run "
                                       "again and do not count",
                                       report.replaced_rounds)
                         : "")});
    out[0].label = "compared";
    return out;
}

// Those with the pair's own verdict made it; the others stand beside them.
Paragraphs metrics(const PairVerdict& pair) {
    Paragraphs out;
    for (const bool decides : {true, false}) {
        const std::size_t first = out.size();
        for (const MetricVerdict& metric : pair.metrics)
            if (metric.verdict && (metric.verdict == pair.verdict) == decides)
                out.push_back({"", metric_words(metric)});
        if (out.size() > first) out[first].label = decides ? "why" : "also";
    }
    return out;
}

Paragraphs reasons(const PairVerdict& pair) {
    Paragraphs out;
    for (const std::string& reason : pair.reasons) out.push_back({"", reason});
    if (!out.empty()) out[0].label = "why";
    return out;
}

// Of the metric that decided; else the first there is.
const Waterfall* waterfall_of(const PairVerdict& pair) {
    for (const MetricVerdict& metric : pair.metrics)
        for (const Waterfall& waterfall : pair.waterfalls)
            if (metric.verdict == pair.verdict && metric.name == waterfall.phase + ".wall_ns")
                return &waterfall;
    return pair.waterfalls.empty() ? nullptr : &pair.waterfalls[0];
}

std::string share_words(double part_ns, double whole_ns) {
    const double share = whole_ns == 0 ? 0 : part_ns / whole_ns;
    return share > 0 && share <= 1 ? fmt::format(", {:.0f} % of it", 100 * share) : "";
}

std::string kernel_words(const BlameRow& row, const Waterfall& waterfall) {
    return fmt::format("{} at {}: {}{} (medians {} -> {}; interval {})", kernel_text(row), row.path,
                       signed_duration(row.delta_ns), share_words(row.delta_ns, waterfall.wall_ns),
                       duration(row.a_ns), duration(row.b_ns),
                       duration_interval_text(row.interval));
}

// Kernels and gaps that surely went the same way as the whole, largest first.
Paragraphs culprits(const PairVerdict& pair, const Waterfall& waterfall) {
    constexpr std::size_t most = 3;
    Paragraphs out;
    // What is less than a hundredth of the whole is sure, and beside the point.
    const auto counts = [&](const std::optional<ChangeInterval>& interval, double ns) {
        return is_sure(interval) && ns / waterfall.wall_ns >= 0.01;
    };
    for (const BlameRow& row : pair.kernels)
        if (row.phase == waterfall.phase && row.whole_op && counts(row.interval, row.delta_ns) &&
            out.size() < most)
            out.push_back({"", kernel_words(row, waterfall)});
    for (const Waterfall::Row& row : waterfall.rows)
        if (row.name.starts_with("gap") && counts(row.interval, row.delta_ns))
            out.push_back({"", fmt::format("{} ({}): {}{}", row.name, about_step(row.name),
                                           signed_duration(row.delta_ns),
                                           share_words(row.delta_ns, waterfall.wall_ns))});
    return out;
}

Paragraphs blame(const PairVerdict& pair) {
    if (pair.kernels.empty())
        return {{"blame", "no profiled rounds were run, so nobody is blamed"}};
    const Waterfall* waterfall = waterfall_of(pair);
    if (waterfall == nullptr) return {};
    if (waterfall->profiling_changed_the_answer)
        return {{"blame", fmt::format("nobody: the profiled rounds of {} show another change than "
                                      "the timed ones, by more than the margin",
                                      waterfall->phase)}};
    Paragraphs out = culprits(pair, *waterfall);
    const std::string whole =
        fmt::format("{} took {} a rep", waterfall->phase, signed_duration(waterfall->wall_ns));
    if (out.empty()) return {{"blame", whole + "; no kernel and no gap changed that way for sure"}};
    out.insert(out.begin(), {"blame", whole + ", and what surely changed that way is"});
    return out;
}

Paragraphs tokens_and_counts(const PairVerdict& pair) {
    Paragraphs out;
    for (const std::string& line : token_lines(pair.tokens, pair.a, pair.b))
        out.push_back({"", line});
    out[0].label = "tokens";
    int equal = 0;
    std::vector<std::string> others;
    for (const CountVerdict& count : pair.counts) {
        if (count.equal && *count.equal) ++equal;
        if (count.a && count.b && *count.a != *count.b)
            others.push_back(fmt::format("{} {} -> {}{}", count.name, quantity(count.a),
                                         quantity(count.b),
                                         count.exact ? ", which must be equal" : " (may vary)"));
    }
    out.push_back(
        {"counts",
         fmt::format("exact and equal: {}{}", equal,
                     others.empty() ? "" : fmt::format("; {}", fmt::join(others, "; ")))});
    return out;
}

int more_rounds(int rounds) {
    constexpr int most = 64;  // of --rounds
    return std::min(most, 2 * std::max(rounds, 12));
}

std::string next(const ComparisonReport& report, const PairVerdict& pair) {
    const auto id = report.run.id;
    if (report.run.status == "interrupted")
        return fmt::format(
            "tare ab --resume {} goes on: it was cut off before its plan was at its end", id);
    switch (pair.verdict) {
        case Verdict::regressed:
            if (pair.exact_regressed)
                return fmt::format(
                    "look at what the change does to the work itself, times come after: "
                    "tare compare {} (tokens and counts of both)",
                    id);
            return fmt::format(
                "tare compare {0} --top 0 (every kernel); tare report {0} --format html --out "
                "{0}.html (plots); tare export {0} --arm {1} (every range of it on a time axis)",
                id, pair.b);
        case Verdict::inconclusive:
            return fmt::format(
                "the same comparison with --rounds {} on a quieter machine, or a larger --margin "
                "METRIC=P%",
                more_rounds(report.rounds));
        case Verdict::invalid:
            return fmt::format("mend what the reason says; tare show {} lists every trial", id);
        default:
            return "nothing; this change may go on";
    }
}

void append(Paragraphs& to, const Paragraphs& more) {
    to.insert(to.end(), more.begin(), more.end());
}

Paragraphs pair_paragraphs(const ComparisonReport& report, const PairVerdict& pair) {
    Paragraphs out = {
        {"verdict", fmt::format("{} is {} against {}: {}", pair.b, headline_word(pair.verdict),
                                pair.a, meaning(pair.verdict, pair.exact_regressed))}};
    const bool by_reasons = pair.exact_regressed || pair.verdict == Verdict::invalid;
    append(out, by_reasons ? reasons(pair) : metrics(pair));
    if (pair.verdict != Verdict::invalid) {
        const bool changed =
            pair.verdict == Verdict::regressed || pair.verdict == Verdict::improved;
        if (changed && !pair.exact_regressed) append(out, blame(pair));
        append(out, tokens_and_counts(pair));
    }
    out.push_back({"next", next(report, pair)});
    return out;
}

std::string text_of(const Paragraphs& paragraphs, int width) {
    constexpr int indent = 10;  // behind the longest label
    std::string text;
    for (const auto& [label, words] : paragraphs) {
        // What goes on below another looks like a further item of it.
        std::string line = wrapped(std::string(indent, '.') + engine::format::printable(words),
                                   width, label.empty() ? indent + 2 : indent);
        line.replace(0, indent, fmt::format("{:<{}}", label, indent));
        text += line + "\n";
    }
    return text;
}

}  // namespace

std::string verdict_words(const ComparisonReport& report, int width) {
    std::string text = engine::format::printable(fmt::format("run {} · {} · {}", report.run.id,
                                                             report.scenario.name,
                                                             headline_word(report.verdict))) +
                       "\n\n" + text_of(what_was_compared(report), width);
    for (const PairVerdict& pair : report.pairs)
        text += "\n" + text_of(pair_paragraphs(report, pair), width);
    return text;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// A comparison told to somebody who was not there.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/format/printable.h"
#include "reports/render/text.h"
#include "reports/render/verdict.h"
#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

using Sentences = std::vector<std::string>;

std::string arm_words(const ArmSummary& arm) {
    return fmt::format("{} is {}{}", arm.name,
                       arm.spec.empty() ? "the build at hand" : "'" + arm.spec + "'",
                       arm.commit ? fmt::format(" (commit {})", short_hash(*arm.commit)) : "");
}

std::string metric_words(const MetricVerdict& metric, const PairVerdict& pair) {
    if (!metric.ratio || !metric.interval)
        return fmt::format("{}: {}.", metric.name, metric.reason);
    const double change = 100 * (*metric.ratio - 1);
    return fmt::format(
        "{} took {:+.2f} % in {} against {}; the {:.1f} % interval is {:+.2f} % to {:+.2f} %, and "
        "{:g} % is tolerated: {}.{}",
        metric.name, change, pair.b, pair.a, 100 * metric.interval->level,
        100 * (metric.interval->lo - 1), 100 * (metric.interval->hi - 1),
        100 * metric.margin.value_or(0), name(*metric.verdict),
        metric.position_corrected
            ? " Running second in a round cost time, so blocks and not rounds decided."
            : "");
}

// The largest change that is surely one.
std::string blame_words(const PairVerdict& pair) {
    for (const BlameRow& row : pair.kernels) {
        if (!row.interval || (row.interval->lo <= 0 && row.interval->hi >= 0)) continue;
        return fmt::format("The largest sure change of a kernel is {} in {}: {}{} a rep.",
                           row.kernel, row.path, row.delta_ns < 0 ? "-" : "+",
                           duration(std::abs(row.delta_ns)));
    }
    return pair.kernels.empty() ? "No profiled rounds were run, so no kernel is blamed."
                                : "No kernel changed for sure.";
}

std::string next_words(const ComparisonReport& report, const PairVerdict& pair) {
    switch (pair.verdict) {
        case Verdict::regressed:
            return pair.exact_regressed
                       ? "Next: look at what the change does to the work itself; times come after."
                       : fmt::format(
                             "Next: tare compare {} --top 0, from the top of the blame "
                             "table; tare report {} --arm {} for its breakdown.",
                             report.run.id, report.run.id, pair.b);
        case Verdict::inconclusive:
            return fmt::format(
                "Next: the same with --rounds {} on a quieter machine, or a larger --margin.",
                2 * std::max(report.rounds, 12) > 64 ? 64
                                                     : 2 * std::max(report.rounds, 12) / 2 * 2);
        case Verdict::invalid:
            return fmt::format("Next: mend what the reason says; tare show {} lists every trial.",
                               report.run.id);
        default:
            return "Next: nothing; this change may go on.";
    }
}

void tell(const ComparisonReport& report, const PairVerdict& pair, Sentences& out) {
    out.push_back(fmt::format("{} against {} is {}: {}.", pair.b, pair.a, name(pair.verdict),
                              meaning(pair.verdict)));
    if (pair.exact_regressed || pair.verdict == Verdict::invalid)
        for (const std::string& reason : pair.reasons) out.push_back(reason + ".");
    if (pair.verdict != Verdict::invalid) {
        for (const MetricVerdict& metric : pair.metrics)
            if (metric.verdict) out.push_back(metric_words(metric, pair));
        if (pair.tokens.identical && *pair.tokens.identical) out.push_back("Tokens are identical.");
        out.push_back(blame_words(pair));
    }
    out.push_back(next_words(report, pair));
}

}  // namespace

std::string verdict_words(const ComparisonReport& report, int width) {
    Sentences arms;
    for (const ArmSummary& arm : report.arms) arms.push_back(arm_words(arm));
    Sentences sentences = {fmt::format(
        "Run {} of {}: {}. {} paired rounds, each a fresh process of every arm in drawn order{}.",
        report.run.id, report.scenario.name, fmt::join(arms, ", "), report.rounds,
        report.replaced_rounds > 0
            ? fmt::format("; {} more had a trial that failed and do not count",
                          report.replaced_rounds)
            : "")};
    for (const PairVerdict& pair : report.pairs) tell(report, pair, sentences);
    std::string text;
    for (const std::string& sentence : sentences)
        text += wrapped(engine::format::printable(sentence), width, 2) + "\n";
    return text;
}

}  // namespace reports::render

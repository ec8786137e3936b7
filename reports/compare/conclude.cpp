// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "reports/records/tokens.h"

namespace reports::compare {
namespace {

// Equal answers are asked of arms that repeat themselves; of others a difference proves nothing.
bool tokens_regressed(const TokenVerdict& tokens) {
    return tokens.identical && !*tokens.identical && tokens.a_repeats && tokens.b_repeats;
}

bool add_exact_reasons(const PairVerdict& pair, std::vector<std::string>& reasons) {
    bool regressed = false;
    if (tokens_regressed(pair.tokens)) {
        reasons.push_back(token_sentence(pair.tokens, "A", "B"));
        regressed = true;
    } else if (pair.tokens.identical && (!pair.tokens.a_repeats || !pair.tokens.b_repeats)) {
        reasons.push_back(
            fmt::format("tokens are not judged: trials of arm {} disagree among themselves",
                        pair.tokens.a_repeats ? pair.b : pair.a));
    }
    for (const CountVerdict& count : pair.counts) {
        if (!count.equal || *count.equal) continue;
        reasons.push_back(fmt::format("exact count {} differs: {} in A, {} in B", count.name,
                                      *count.a, *count.b));
        regressed = true;
    }
    return regressed;
}

bool has(const PairVerdict& pair, Verdict verdict) {
    return std::any_of(pair.metrics.begin(), pair.metrics.end(),
                       [&](const MetricVerdict& one) { return one.verdict == verdict; });
}

Verdict of_metrics(const PairVerdict& pair) {
    for (const Verdict verdict :
         {Verdict::regressed, Verdict::inconclusive, Verdict::improved, Verdict::same})
        if (has(pair, verdict)) return verdict;
    return Verdict::inconclusive;
}

void add_metric_reasons(const PairVerdict& pair, Verdict verdict, std::vector<std::string>& out) {
    for (const MetricVerdict& one : pair.metrics)
        if (one.verdict == verdict)
            out.push_back(fmt::format("{} {}: {}", one.name, name(verdict), one.reason));
}

}  // namespace

int exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::improved:
        case Verdict::same:
            return 0;
        case Verdict::regressed:
            return 1;
        case Verdict::inconclusive:
            return 3;
        case Verdict::invalid:
            return 4;
    }
    return 4;
}

void conclude(PairVerdict& pair, const std::vector<ArmSummary>& arms, const std::string& invalid) {
    pair.reasons.clear();
    pair.exact_regressed = add_exact_reasons(pair, pair.reasons);
    std::vector<std::string> why_invalid;
    for (const ArmSummary& arm : arms)
        if ((arm.name == pair.a || arm.name == pair.b) && !arm.why_invalid.empty())
            why_invalid.push_back(
                fmt::format("arm {} cannot be measured: {}", arm.name, arm.why_invalid));
    if (!invalid.empty()) why_invalid.push_back(invalid);
    const Verdict timed = why_invalid.empty() ? of_metrics(pair) : Verdict::invalid;
    pair.verdict = pair.exact_regressed ? Verdict::regressed : timed;
    pair.exit_code = exit_code(pair.verdict);
    pair.reasons.insert(pair.reasons.end(), why_invalid.begin(), why_invalid.end());
    if (timed != Verdict::invalid) add_metric_reasons(pair, timed, pair.reasons);
    if (pair.reasons.empty())
        pair.reasons.push_back("no metric has a margin, so none has a verdict");
}

}  // namespace reports::compare

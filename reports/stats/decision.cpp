// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/decision.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace reports::stats {
namespace {

void settle(Decision& decision, Why why, std::optional<Verdict> verdict) {
    decision.why = why;
    decision.verdict = verdict;
}

bool must_correct(const std::optional<PositionEffect>& effect, std::optional<double> margin) {
    return effect && margin && effect->excludes_zero() &&
           std::abs(effect->second_costs) > *margin / 2;
}

std::optional<Interval> rounds_interval(const std::vector<double>& walsh, const Look& look) {
    return walsh_interval(walsh, look.c, look.tail);
}

std::optional<Interval> blocks_interval(const std::vector<double>& walsh, const Look& look) {
    return walsh_interval(walsh, look.c_blocks, look.tail_blocks);
}

// `look` from 1; 0: no look is reached, the estimate is all there is.
Decision at_look(std::span<const OrderedRound> rounds,
                 const Plans& plans,
                 std::optional<double> margin,
                 int look) {
    Decision decision{.margin = margin,
                      .rounds = static_cast<int>(rounds.size()),
                      .look = look,
                      .looks = static_cast<int>(plans.same.looks.size())};
    decision.position = position_effect(rounds);
    // The law of the means holds for whole blocks only.
    const bool by_block = must_correct(decision.position, margin) &&
                          static_cast<std::size_t>(decision.position->blocks) == rounds.size() / 2;
    decision.position_corrected = by_block;
    const auto walsh = walsh_averages(by_block ? block_means(rounds) : values_of(rounds));
    decision.estimate = hodges_lehmann(walsh);
    if (look > 0) {
        const auto index = static_cast<std::size_t>(look - 1);
        const auto interval = by_block ? blocks_interval : rounds_interval;
        decision.change = interval(walsh, plans.change.looks[index]);
        decision.same = interval(walsh, plans.same.looks[index]);
    }
    judge(decision);
    return decision;
}

bool decisive(const Decision& decision) {
    return decision.verdict && *decision.verdict != Verdict::inconclusive;
}

}  // namespace

// The order of questions is part of the promise in the header.
void judge(Decision& decision) {
    if (!decision.margin) return settle(decision, Why::no_margin, std::nullopt);
    const double margin = *decision.margin;
    if (!decision.change && !decision.same)
        return settle(decision, decision.rounds > 0 ? Why::no_interval : Why::no_rounds,
                      Verdict::inconclusive);
    if (decision.change && decision.change->hi < 0 && *decision.estimate <= -margin)
        return settle(decision, Why::clearly_better, Verdict::improved);
    if (decision.change && decision.change->lo > 0 && *decision.estimate >= margin)
        return settle(decision, Why::clearly_worse, Verdict::regressed);
    if (decision.same && decision.same->hi < margin)
        return settle(decision, Why::within_margin, Verdict::same);
    settle(decision, Why::undecided, Verdict::inconclusive);
}

bool Decision::final() const {
    return decisive(*this) || (looks > 0 && look == looks);
}

Decision decide(std::span<const OrderedRound> rounds,
                const Plans& plans,
                std::optional<double> margin) {
    if (margin && !(*margin > 0)) throw std::invalid_argument("a margin must be above 0");
    std::optional<Decision> latest;
    for (std::size_t i = 0; i < plans.same.looks.size(); ++i) {
        const auto needed = static_cast<std::size_t>(plans.same.looks[i].rounds);
        if (rounds.size() < needed) break;
        // Without a margin nothing stops early: only the last look reached is of use.
        latest = at_look(rounds.first(needed), plans, margin, static_cast<int>(i) + 1);
        if (decisive(*latest)) break;
    }
    return latest ? *latest : at_look(rounds, plans, margin, 0);
}

Decision decide(std::span<const double> worse, const Plans& plans, std::optional<double> margin) {
    std::vector<OrderedRound> rounds;
    for (const double value : worse) rounds.push_back({.worse = value});
    return decide(rounds, plans, margin);
}

Decision decide_exact(std::span<const PairedRound> rounds) {
    Decision decision;
    settle(decision, Why::no_rounds, Verdict::inconclusive);
    for (const PairedRound& pair : rounds) {
        if (!pair.a || !pair.b) continue;
        ++decision.rounds;
        if (*pair.a == *pair.b) continue;
        if (!decision.differing_round) decision.differing_round = pair.round;
    }
    if (decision.differing_round) {
        settle(decision, Why::not_equal, Verdict::regressed);
    } else if (decision.rounds > 0) {
        settle(decision, Why::all_equal, Verdict::same);
    }
    return decision;
}

}  // namespace reports::stats

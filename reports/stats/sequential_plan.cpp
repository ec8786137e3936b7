// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/sequential_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "reports/stats/signed_rank_law.h"

namespace reports::stats {
namespace {

void check(const std::vector<int>& rounds, double alpha) {
    if (rounds.empty() || rounds.front() < 1 || rounds.back() > most_pairs ||
        std::adjacent_find(rounds.begin(), rounds.end(), std::greater_equal<>()) != rounds.end())
        throw std::invalid_argument("looks must ascend, from 1 round or more to most_pairs");
    if (!(alpha > 0 && alpha < 0.5))
        throw std::invalid_argument("alpha must lie between 0 and 0.5");
}

}  // namespace

SequentialPlan sequential_plan(const std::vector<int>& rounds, double alpha) {
    check(rounds, alpha);
    SequentialPlan plan{.alpha = alpha, .looks = {}};
    double spent = 0;
    for (const int n : rounds) {
        const double share = static_cast<double>(n) / rounds.back();
        const double allowed = alpha * share * std::sqrt(share);
        const Tail tail = tail_within(signed_rank_law(n), allowed - spent);
        spent += tail.p;
        const Tail blocks = tail_within(signed_rank_law(n / 2), tail.p);
        plan.looks.push_back({.rounds = n,
                              .c = tail.c,
                              .tail = tail.p,
                              .allowed = allowed,
                              .c_blocks = n < 2 ? -1 : blocks.c,
                              .tail_blocks = n < 2 ? 0 : blocks.p});
    }
    return plan;
}

Plans plans_for(const std::vector<int>& rounds, int gated, double alpha) {
    if (gated < 1) throw std::invalid_argument("a plan gates at least one metric");
    return {.change = sequential_plan(rounds, alpha / gated),
            .same = sequential_plan(rounds, alpha),
            .gated = gated};
}

}  // namespace reports::stats

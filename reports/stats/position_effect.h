// SPDX-License-Identifier: Apache-2.0
// What it costs to run second in a round, and values without it.
//
// With effect p a round's value is r + p when A ran first and r - p when B did. Half the difference
// of a block's two rounds estimates p free of r; the mean over blocks has a Student t interval. The
// mean of a block's two rounds is free of p. Taking the estimate off each round instead would make
// the rounds of a block move together where the cause is a disturbance of period 4 (one slot of
// each block): with rounds as the unit that gave 9 % of false alarms.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace reports::stats {

// One round's value (positive: B is worse) and who ran first.
struct OrderedRound {
    double worse = 0;
    bool a_first = true;
    int block = -1;  // rounds of one block share the number; -1: the order is not known
};

struct PositionEffect {
    double second_costs = 0;  // on the scale of `worse`; negative: running second is faster
    double lo = 0, hi = 0;    // 95 %; equal where every block says the same
    int blocks = 0;

    bool excludes_zero() const { return lo > 0 || hi < 0; }
};

// From the blocks that hold one round of each order. Fewer than two: nullopt.
std::optional<PositionEffect> position_effect(std::span<const OrderedRound> rounds);

// One value for each of these blocks, in their order.
std::vector<double> block_means(std::span<const OrderedRound> rounds);

std::vector<double> values_of(std::span<const OrderedRound> rounds);

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/position_effect.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "reports/stats/distributions.h"

namespace reports::stats {
namespace {

constexpr double level = 0.95;

struct Block {
    double a_first = 0, b_first = 0;  // `worse` of its two rounds
};

// Those with one round of each order, in the order of their numbers.
std::vector<Block> whole_blocks(std::span<const OrderedRound> rounds) {
    std::map<int, std::vector<OrderedRound>> blocks;
    for (const OrderedRound& round : rounds)
        if (round.block >= 0) blocks[round.block].push_back(round);
    std::vector<Block> out;
    for (const auto& [number, pair] : blocks) {
        if (pair.size() != 2 || pair[0].a_first == pair[1].a_first) continue;
        const bool in_order = pair[0].a_first;
        out.push_back({pair[in_order ? 0 : 1].worse, pair[in_order ? 1 : 0].worse});
    }
    return out;
}

std::vector<double> half_differences(std::span<const OrderedRound> rounds) {
    std::vector<double> out;
    for (const Block& block : whole_blocks(rounds))
        out.push_back(block.a_first / 2 - block.b_first / 2);
    return out;
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Two-sided, looked up once per number of blocks: simulations ask millions of times.
double t_of(std::size_t blocks) {
    static const std::vector<double> table = [] {
        std::vector<double> out(2, 0.0);
        for (int n = 2; n <= 64; ++n) out.push_back(student_t_quantile((1 + level) / 2, n - 1));
        return out;
    }();
    if (blocks < table.size()) return table[blocks];
    return student_t_quantile((1 + level) / 2, static_cast<double>(blocks - 1));
}

}  // namespace

std::optional<PositionEffect> position_effect(std::span<const OrderedRound> rounds) {
    const auto halves = half_differences(rounds);
    if (halves.size() < 2) return std::nullopt;
    const double mean = mean_of(halves), n = static_cast<double>(halves.size());
    double squares = 0;
    for (const double half : halves) squares += (half - mean) * (half - mean);
    const double reach = t_of(halves.size()) * std::sqrt(squares / (n - 1) / n);
    return PositionEffect{.second_costs = mean,
                          .lo = mean - reach,
                          .hi = mean + reach,
                          .blocks = static_cast<int>(halves.size())};
}

std::vector<double> block_means(std::span<const OrderedRound> rounds) {
    std::vector<double> out;
    for (const Block& block : whole_blocks(rounds))
        out.push_back(block.a_first / 2 + block.b_first / 2);
    return out;
}

std::vector<double> values_of(std::span<const OrderedRound> rounds) {
    std::vector<double> out;
    for (const OrderedRound& round : rounds) out.push_back(round.worse);
    return out;
}

}  // namespace reports::stats

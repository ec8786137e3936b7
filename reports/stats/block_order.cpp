// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/block_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "reports/stats/draws.h"

namespace reports::stats {

ArmOrder arm_order(std::uint64_t seed, int arms, int round) {
    if (arms < 1 || round < 0) throw std::invalid_argument("an order needs an arm and a round");
    ArmOrder order(static_cast<std::size_t>(arms));
    std::iota(order.begin(), order.end(), 0);
    Draws draws(seed, static_cast<std::uint64_t>(round / 2));
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    if (round % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

std::vector<ArmOrder> arm_orders(std::uint64_t seed, int arms, int rounds) {
    std::vector<ArmOrder> orders;
    for (int round = 0; round < rounds; ++round) orders.push_back(arm_order(seed, arms, round));
    return orders;
}

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/blocks.h"

#include <algorithm>

#include "reports/stats/block_order.h"
#include "reports/stats/draws.h"

namespace scenarios::plan {

namespace {

// A stream of its own: what the modes draw says nothing about what the arms draw.
constexpr std::uint64_t of_modes = 0x6d6f646573;

}  // namespace

std::vector<Turn> block_turns(std::uint64_t seed,
                              std::size_t arms,
                              int block,
                              const std::vector<reports::Mode>& modes) {
    std::vector<reports::Mode> order = modes;
    if (reports::stats::Draws(seed ^ of_modes, static_cast<std::uint64_t>(block)).coin())
        std::reverse(order.begin(), order.end());
    std::vector<Turn> turns;
    for (const int round : {2 * block, 2 * block + 1}) {
        int position = 0;
        for (const reports::Mode mode : order)
            for (const int arm : reports::stats::arm_order(seed, static_cast<int>(arms), round))
                turns.push_back({round, position++, mode, static_cast<std::size_t>(arm)});
        std::reverse(order.begin(), order.end());
    }
    return turns;
}

}  // namespace scenarios::plan

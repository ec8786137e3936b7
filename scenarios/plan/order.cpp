// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/order.h"

#include <algorithm>
#include <utility>

#include "scenarios/plan/prompt.h"

namespace scenarios::plan {

namespace {

// Whether round `round` of `rounds` holds one of `count` evenly spread trials.
bool takes_part(std::int64_t round, std::int64_t rounds, std::int64_t count) {
    return (round + 1) * count / rounds > round * count / rounds;
}

}  // namespace

std::vector<Turn> draw_order(int timed, int profiled, std::uint64_t seed) {
    using reports::Mode;
    const int rounds = std::max(timed, profiled);
    std::vector<Turn> order;
    std::uint64_t state = seed;
    bool timed_first = true;
    for (int round = 0; round < rounds; ++round) {
        timed_first = round % 2 == 0 ? (splitmix64(state) & 1) == 0 : !timed_first;
        std::vector<Mode> modes;
        if (takes_part(round, rounds, timed)) modes.push_back(Mode::timed);
        if (takes_part(round, rounds, profiled)) modes.push_back(Mode::profiled);
        if (modes.size() == 2 && !timed_first) std::swap(modes[0], modes[1]);
        int position = 0;
        for (const Mode mode : modes) order.push_back({round, position++, mode});
    }
    return order;
}

}  // namespace scenarios::plan

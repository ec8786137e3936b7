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

struct Slot {
    reports::Mode mode;
    std::size_t arm;
};

std::vector<Slot> all_slots(std::size_t arms) {
    std::vector<Slot> slots;
    for (const reports::Mode mode : {reports::Mode::timed, reports::Mode::profiled})
        for (std::size_t arm = 0; arm < arms; ++arm) slots.push_back({mode, arm});
    return slots;
}

// Fisher-Yates, from the end.
void shuffle(std::vector<Slot>& slots, std::uint64_t& state) {
    for (std::size_t i = slots.size() - 1; i > 0; --i)
        std::swap(slots[i], slots[i - splitmix64(state) % (i + 1)]);
}

}  // namespace

std::vector<Turn> draw_order(int timed, int profiled, std::uint64_t seed, std::size_t arms) {
    using reports::Mode;
    const int rounds = std::max(timed, profiled);
    std::vector<Turn> order;
    std::uint64_t state = seed;
    std::vector<Slot> slots;
    for (int round = 0; round < rounds; ++round) {
        if (round % 2 == 0) {
            slots = all_slots(arms);
            shuffle(slots, state);
        } else {
            std::reverse(slots.begin(), slots.end());
        }
        int position = 0;
        for (const Slot& slot : slots)
            if (takes_part(round, rounds, slot.mode == Mode::timed ? timed : profiled))
                order.push_back({round, position++, slot.mode, slot.arm});
    }
    return order;
}

}  // namespace scenarios::plan

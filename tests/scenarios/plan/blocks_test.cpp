// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/blocks.h"

#include <gtest/gtest.h>

#include <set>

namespace scenarios::plan {
namespace {

using reports::Mode;

std::vector<std::size_t> arms_of(const std::vector<Turn>& turns, int round, Mode mode) {
    std::vector<std::size_t> arms;
    for (const Turn& turn : turns)
        if (turn.round == round && turn.mode == mode) arms.push_back(turn.arm);
    return arms;
}

TEST(Blocks, the_second_round_is_the_first_turned_round) {
    for (int block = 0; block < 50; ++block) {
        const auto turns = block_turns(7, 3, block, {Mode::timed, Mode::profiled});
        ASSERT_EQ(turns.size(), 12u);
        for (const Mode mode : {Mode::timed, Mode::profiled}) {
            auto first = arms_of(turns, 2 * block, mode);
            const auto second = arms_of(turns, 2 * block + 1, mode);
            EXPECT_EQ(std::set<std::size_t>(first.begin(), first.end()).size(), 3u);
            std::reverse(first.begin(), first.end());
            EXPECT_EQ(first, second);
        }
    }
}

TEST(Blocks, orders_are_drawn_and_the_same_for_the_same_seed) {
    int a_first = 0, timed_first = 0;
    for (int block = 0; block < 400; ++block) {
        const auto turns = block_turns(11, 2, block, {Mode::timed, Mode::profiled});
        a_first += turns[0].arm == 0;
        timed_first += turns[0].mode == Mode::timed;
        const auto again = block_turns(11, 2, block, {Mode::timed, Mode::profiled});
        for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i].arm, again[i].arm);
    }
    // Each is a fair coin: 200 with a standard deviation of 10.
    EXPECT_NEAR(a_first, 200, 50);
    EXPECT_NEAR(timed_first, 200, 50);
}

TEST(Blocks, arms_of_a_pair_are_neighbours_in_one_mode) {
    const auto turns = block_turns(3, 2, 0, {Mode::timed, Mode::profiled});
    EXPECT_EQ(turns[0].mode, turns[1].mode);
    EXPECT_EQ(turns[2].mode, turns[3].mode);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(turns[static_cast<std::size_t>(i)].position, i);
}

}  // namespace
}  // namespace scenarios::plan

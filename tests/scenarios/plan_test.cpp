// SPDX-License-Identifier: Apache-2.0
// Order of trials, names of scenarios, nearest words.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/plan/find.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/plan/order.h"
#include "tests/fakes/temporary.h"

namespace {

using namespace scenarios::plan;
using reports::Mode;

long count(const std::vector<Turn>& order, Mode mode) {
    return std::count_if(order.begin(), order.end(), [&](const Turn& t) { return t.mode == mode; });
}

TEST(Order, holds_every_trial_of_the_plan) {
    for (const auto& [timed, profiled] :
         std::vector<std::pair<int, int>>{{6, 3}, {3, 6}, {4, 4}, {5, 0}, {0, 2}, {7, 3}}) {
        const auto order = draw_order(timed, profiled, 1);
        EXPECT_EQ(count(order, Mode::timed), timed);
        EXPECT_EQ(count(order, Mode::profiled), profiled);
        EXPECT_EQ(order.back().round + 1, std::max(timed, profiled));
    }
}

TEST(Order, same_seed_same_order_other_seeds_other_orders) {
    const auto modes = [](std::uint64_t seed) {
        std::vector<Mode> out;
        for (const Turn& turn : draw_order(16, 16, seed)) out.push_back(turn.mode);
        return out;
    };
    EXPECT_EQ(modes(5), modes(5));
    int different = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) different += modes(seed) != modes(100);
    EXPECT_GE(different, 19);
}

TEST(Order, second_round_of_a_block_turns_the_first_one_round) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto order = draw_order(2, 2, seed);
        ASSERT_EQ(order.size(), 4u);
        EXPECT_NE(order[0].mode, order[2].mode);
        EXPECT_EQ(order[0].position, 0);
        EXPECT_EQ(order[1].position, 1);
    }
}

TEST(Order, rarer_mode_is_spread_over_the_rounds) {
    std::vector<int> rounds;
    for (const Turn& turn : draw_order(9, 3, 1))
        if (turn.mode == Mode::profiled) rounds.push_back(turn.round);
    EXPECT_EQ(rounds, (std::vector<int>{2, 5, 8}));
}

TEST(Order, every_arm_runs_in_every_round_and_a_block_holds_its_reverse) {
    const auto order = draw_order(4, 2, 7, 3);
    ASSERT_EQ(order.size(), 18u);
    const auto of_round = [&](int round) {
        std::vector<std::pair<Mode, std::size_t>> out;
        for (const Turn& turn : order)
            if (turn.round == round) out.emplace_back(turn.mode, turn.arm);
        return out;
    };
    for (int round = 0; round < 4; ++round)
        for (std::size_t arm = 0; arm < 3; ++arm)
            EXPECT_EQ(std::count_if(order.begin(), order.end(),
                                    [&](const Turn& t) {
                                        return t.round == round && t.arm == arm &&
                                               t.mode == Mode::timed;
                                    }),
                      1);
    const auto timed_arms = [&](int round) {
        std::vector<std::size_t> arms;
        for (const auto& [mode, arm] : of_round(round))
            if (mode == Mode::timed) arms.push_back(arm);
        return arms;
    };
    auto first = timed_arms(0), second = timed_arms(1);
    std::reverse(second.begin(), second.end());
    EXPECT_EQ(first, second);
    EXPECT_EQ(order[0].position, 0);
    EXPECT_EQ(order[2].position, 2);
}

TEST(Order, first_arm_is_first_about_as_often_as_the_second) {
    int first = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) first += draw_order(2, 0, seed, 2)[0].arm == 0;
    EXPECT_GT(first, 70);
    EXPECT_LT(first, 130);
}

TEST(Nearest, finds_typing_errors_and_nothing_else) {
    const std::vector<std::string> known = {"warm_up", "reps", "rounds"};
    EXPECT_EQ(nearest("warmup", known), "warm_up");
    EXPECT_EQ(nearest("round", known), "rounds");
    EXPECT_EQ(nearest("completely_else", known), std::nullopt);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Find, name_is_looked_up_and_path_is_not) {
    fakes::TemporaryFolder folder;
    const auto file = folder.write("x-1.toml", "");
    const std::vector<std::filesystem::path> folders = {folder.path() / "none", folder.path()};
    EXPECT_EQ(find_scenario("x-1", folders), file);
    EXPECT_EQ(find_scenario(file.string(), {}), file);
    EXPECT_THROW(find_scenario("none.toml", folders), NotFound);
}

TEST(Find, unknown_name_lists_folders_and_the_nearest) {
    fakes::TemporaryFolder folder;
    folder.write("prefill-4k.toml", "");
    try {
        find_scenario("prefil-4k", {folder.path()});
        FAIL() << "found";
    } catch (const NotFound& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(folder.path().string()), std::string::npos) << message;
        EXPECT_NE(message.find("Nearest known: 'prefill-4k'"), std::string::npos) << message;
    }
}

TEST(Find, folder_option_is_searched_alone) {
    const auto folders = scenario_folders("here", "/", "/opt/tare/bin/tare");
    EXPECT_EQ(folders, (std::vector<std::filesystem::path>{"here"}));
}

TEST(Find, checkout_comes_before_the_executable) {
    fakes::TemporaryFolder folder;
    folder.write(".git/HEAD", "");
    folder.write("a/b/c", "");
    const auto folders = scenario_folders({}, folder.path() / "a/b", "/opt/tare/bin/tare");
    ASSERT_EQ(folders.size(), 3u);
    EXPECT_EQ(folders[0], folder.path() / "scenarios");
    EXPECT_EQ(folders[2], "/opt/tare/share/tare/scenarios");
}

}  // namespace

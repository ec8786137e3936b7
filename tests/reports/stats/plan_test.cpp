// SPDX-License-Identifier: Apache-2.0
// The looks' constants, block orders, q-values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/stats/block_order.h"
#include "reports/stats/draws.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/sequential_plan.h"
#include "reports/stats/signed_rank_law.h"

namespace {

using namespace reports::stats;

int averages(int n) {
    return n * (n + 1) / 2;
}

TEST(sequential_plan, default_looks_have_the_designed_intervals) {
    struct Designed {
        int rounds, first, last;
        double coverage;
    };

    const auto plan = sequential_plan();
    ASSERT_EQ(plan.looks.size(), 4u);
    std::size_t i = 0;
    for (const auto& [rounds, first, last, coverage] : {Designed{8, 1, 36, 0.9922},
                                                        {12, 8, 71, 0.9907},
                                                        {16, 20, 117, 0.9908},
                                                        {24, 72, 229, 0.9771}}) {
        const Look& look = plan.looks[i++];
        EXPECT_EQ(look.rounds, rounds);
        EXPECT_EQ(look.c + 1, first);
        EXPECT_EQ(averages(rounds) - look.c, last);
        EXPECT_NEAR(look.coverage(), coverage, 0.00005);
    }
}

TEST(sequential_plan, fixed_plans_have_the_designed_intervals) {
    struct Designed {
        int rounds, first, last;
    };

    for (const auto& [rounds, first, last] :
         {Designed{6, 1, 21}, {8, 4, 33}, {12, 14, 65}, {16, 30, 107}, {24, 82, 219}}) {
        const auto plan = sequential_plan({rounds});
        ASSERT_EQ(plan.looks.size(), 1u);
        EXPECT_EQ(plan.looks[0].c + 1, first);
        EXPECT_EQ(averages(rounds) - plan.looks[0].c, last);
    }
    EXPECT_EQ(sequential_plan({5}).looks[0].c, -1);  // 2^-5 > 2.5 %
}

// c is the largest that fits, spending never passes what is allowed, and the sum is at most alpha.
TEST(sequential_plan, spends_as_much_as_it_may_and_no_more) {
    for (const double alpha : {0.025, 0.0125, 0.00625, 0.005, 0.1})
        for (const auto& rounds : {std::vector{8, 12, 16, 24}, {6, 7, 8, 9, 10}, {10, 40, 200}}) {
            double spent = 0;
            for (const Look& look : sequential_plan(rounds, alpha).looks) {
                const auto law = signed_rank_law(look.rounds);
                EXPECT_EQ(look.tail, at_most(law, look.c));
                EXPECT_GT(spent + at_most(law, look.c + 1), look.allowed);
                spent += look.tail;
                EXPECT_LE(spent, look.allowed);
                EXPECT_NEAR(look.allowed, alpha * std::pow(look.rounds * 1.0 / rounds.back(), 1.5),
                            1e-15);
            }
            EXPECT_LE(spent, alpha);
        }
}

TEST(sequential_plan, blocks_spend_no_more_than_rounds) {
    for (const auto& rounds : {default_looks, std::vector{6}, {12}, {7, 13, 40}})
        for (const Look& look : sequential_plan(rounds).looks) {
            const auto law = signed_rank_law(look.rounds / 2);
            EXPECT_EQ(look.tail_blocks, at_most(law, look.c_blocks));
            EXPECT_LE(look.tail_blocks, look.tail);
            EXPECT_GT(at_most(law, look.c_blocks + 1), look.tail);
        }
    EXPECT_EQ(sequential_plan().looks[1].c_blocks, -1);  // 2^-6
    EXPECT_EQ(sequential_plan().looks[2].c_blocks, 0);
    EXPECT_EQ(sequential_plan({1}).looks[0].c_blocks, -1);
}

TEST(sequential_plan, several_gated_metrics_share_alpha_for_changes_only) {
    const auto plans = plans_for(default_looks, 4);
    EXPECT_EQ(plans.change.alpha, default_alpha / 4);
    EXPECT_EQ(plans.same.alpha, default_alpha);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(plans.change.looks[i].c, plans.same.looks[i].c + 1);
    EXPECT_EQ(plans.change.looks[0].c, -1);  // 2^-8 is more than may be spent after 8 of 24
    EXPECT_GE(plans.change.looks[1].c, 0);
}

TEST(sequential_plan, refuses_what_is_no_plan) {
    EXPECT_THROW(sequential_plan({}), std::invalid_argument);
    EXPECT_THROW(sequential_plan({0, 8}), std::invalid_argument);
    EXPECT_THROW(sequential_plan({8, 8}), std::invalid_argument);
    EXPECT_THROW(sequential_plan({12, 8}), std::invalid_argument);
    EXPECT_THROW(sequential_plan({most_pairs + 1}), std::invalid_argument);
    EXPECT_THROW(sequential_plan({8}, 0.5), std::invalid_argument);
    EXPECT_THROW(sequential_plan({8}, std::nan("")), std::invalid_argument);
    EXPECT_THROW(plans_for({8}, 0), std::invalid_argument);
}

TEST(block_order, second_round_of_a_block_reverses_the_first) {
    for (int arms = 1; arms <= 5; ++arms)
        for (int round = 0; round < 40; round += 2) {
            auto first = arm_order(3, arms, round), second = arm_order(3, arms, round + 1);
            std::reverse(second.begin(), second.end());
            EXPECT_EQ(first, second);
            std::sort(first.begin(), first.end());
            for (int arm = 0; arm < arms; ++arm)
                EXPECT_EQ(first[static_cast<std::size_t>(arm)], arm);
        }
}

TEST(block_order, is_the_same_on_every_machine) {
    std::string two, three;
    for (const auto& order : arm_orders(20261201, 2, 16)) two += "AB"[order[0]];
    for (const auto& order : arm_orders(20261201, 3, 8))
        for (const int arm : order) three += "ABC"[arm];
    EXPECT_EQ(two, "ABABABABABABBABA");
    EXPECT_EQ(three, "CABBACCABBACBCAACBACBBCA");
}

TEST(block_order, every_order_is_drawn_as_often) {
    std::map<ArmOrder, int> seen;
    for (int block = 0; block < 6000; ++block) ++seen[arm_order(9, 3, 2 * block)];
    ASSERT_EQ(seen.size(), 6u);
    for (const auto& [order, times] : seen) EXPECT_NEAR(times, 1000, 120);  // 4 deviations
    int a_first = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) a_first += arm_order(seed, 2, 0)[0] == 0;
    EXPECT_NEAR(a_first, 2000, 130);
}

TEST(block_order, refuses_no_arms) {
    EXPECT_THROW(arm_order(0, 0, 0), std::invalid_argument);
    EXPECT_THROW(arm_order(0, 2, -1), std::invalid_argument);
}

TEST(false_discovery, q_of_known_p_values) {
    EXPECT_TRUE(benjamini_hochberg({}).empty());
    EXPECT_EQ(benjamini_hochberg({0.03}), std::vector{0.03});
    const auto q = benjamini_hochberg({0.04, 0.01, 0.03, 0.5});
    EXPECT_NEAR(q[0], 0.16 / 3, 1e-15);
    EXPECT_NEAR(q[1], 0.04, 1e-15);
    EXPECT_NEAR(q[2], 0.16 / 3, 1e-15);  // not above that of the larger p
    EXPECT_EQ(q[3], 0.5);
    EXPECT_THROW(benjamini_hochberg({0.5, 1.5}), std::invalid_argument);
    EXPECT_THROW(benjamini_hochberg({std::nan("")}), std::invalid_argument);
}

TEST(false_discovery, q_is_out_of_reach_of_few_rounds_and_many_kernels) {
    EXPECT_FALSE(q_within_reach(0, 1));
    EXPECT_FALSE(q_within_reach(5, 1));
    EXPECT_TRUE(q_within_reach(6, 1));
    EXPECT_TRUE(q_within_reach(12, 102));  // 2^-11 = 0.05 / 102.4
    EXPECT_FALSE(q_within_reach(12, 103));
}

}  // namespace

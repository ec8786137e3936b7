// SPDX-License-Identifier: Apache-2.0
// Verdicts: their order, their numbers, their symmetries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "reports/stats/decision.h"

namespace {

using namespace reports::stats;
using Values = std::vector<double>;

const double margin = std::log1p(0.02);

// n values about `middle`, each at another distance below `reach`.
Values around(double middle, double reach, int n) {
    Values out;
    for (int i = 0; i < n; ++i)
        out.push_back(middle + reach * ((i % 2 == 0 ? 1 : -1) * (i + 1.0) / n));
    return out;
}

Decision fixed(const Values& values, std::optional<double> tolerated = margin) {
    return decide(values, plans_for({static_cast<int>(values.size())}), tolerated);
}

TEST(decision, each_verdict_has_its_case) {
    EXPECT_EQ(fixed(around(0.03, 0.005, 12)).verdict, Verdict::regressed);
    EXPECT_EQ(fixed(around(-0.03, 0.005, 12)).verdict, Verdict::improved);
    EXPECT_EQ(fixed(around(0, 0.005, 12)).verdict, Verdict::same);
    EXPECT_EQ(fixed(around(0, 0.2, 12)).verdict, Verdict::inconclusive);
}

// A clear change smaller than the margin is "same"; an estimate past it with zero inside,
// undecided.
TEST(decision, needs_both_the_interval_and_the_estimate) {
    EXPECT_EQ(fixed(around(0.01, 0.002, 12)).verdict, Verdict::same);
    EXPECT_EQ(fixed(around(-0.01, 0.002, 12)).verdict, Verdict::same);
    const auto wide = fixed(around(0.03, 0.2, 12));
    EXPECT_EQ(wide.verdict, Verdict::inconclusive);
    EXPECT_GT(*wide.estimate, margin);
    EXPECT_LT(wide.change->lo, 0);
    const auto reaching = fixed(around(0.018, 0.01, 12));
    EXPECT_GT(reaching.change->lo, 0);
    EXPECT_EQ(reaching.verdict, Verdict::inconclusive);
}

TEST(decision, at_its_edges_is_as_documented) {
    EXPECT_EQ(fixed(Values(8, margin)).verdict, Verdict::regressed);  // estimate == margin
    EXPECT_EQ(fixed(Values(8, -margin)).verdict, Verdict::improved);
    EXPECT_EQ(fixed(Values(8, std::nextafter(margin, 0))).verdict, Verdict::same);
    EXPECT_EQ(fixed(Values(8, 0)).verdict, Verdict::same);
}

TEST(decision, without_margin_has_numbers_and_no_verdict) {
    const auto decision = fixed(around(0.03, 0.005, 12), std::nullopt);
    EXPECT_EQ(decision.verdict, std::nullopt);
    EXPECT_EQ(decision.why, Why::no_margin);
    EXPECT_TRUE(decision.estimate && decision.change);
    EXPECT_THROW(fixed({1, 2}, 0.0), std::invalid_argument);
    EXPECT_THROW(fixed({1, 2}, std::nan("")), std::invalid_argument);
    EXPECT_THROW(fixed({1, std::nan("")}), std::invalid_argument);
}

TEST(decision, of_too_few_rounds_is_inconclusive) {
    const auto none = decide(Values{}, plans_for(), margin);
    EXPECT_EQ(none.verdict, Verdict::inconclusive);
    EXPECT_EQ(none.why, Why::no_rounds);
    EXPECT_EQ(none.estimate, std::nullopt);
    const auto one = decide(Values{0.5}, plans_for(), margin);
    EXPECT_EQ(one.why, Why::no_interval);
    EXPECT_EQ(one.estimate, 0.5);
    EXPECT_FALSE(one.final());
    const auto five = fixed(Values(5, 0));
    EXPECT_EQ(five.why, Why::no_interval);
    EXPECT_TRUE(five.final());
}

TEST(decision, stops_at_the_first_look_that_decides) {
    const auto early = decide(around(0, 0.005, 24), plans_for(), margin);
    EXPECT_EQ(early.rounds, 8);
    EXPECT_EQ(early.look, 1);
    EXPECT_TRUE(early.final());
    const auto late = decide(around(0, 0.2, 24), plans_for(), margin);
    EXPECT_EQ(late.rounds, 24);
    EXPECT_EQ(late.look, 4);
    const auto between = decide(around(0, 0.2, 15), plans_for(), margin);
    EXPECT_EQ(between.rounds, 12);
    EXPECT_FALSE(between.final());
    // Rounds after the deciding look change nothing.
    auto changed = around(0, 0.005, 8);
    changed.resize(24, 9);
    EXPECT_EQ(decide(changed, plans_for(), margin).verdict, Verdict::same);
}

TEST(decision, several_metrics_narrow_same_no_more_than_one) {
    const auto values = around(0, 0.005, 8);
    const auto one = decide(values, plans_for(), margin);
    const auto four = decide(values, plans_for(default_looks, 4), margin);
    EXPECT_EQ(four.verdict, Verdict::same);
    EXPECT_EQ(four.same->hi, one.same->hi);
    EXPECT_FALSE(four.change);  // at alpha / 4 eight rounds cannot show a change
    EXPECT_EQ(decide(around(0.03, 0.005, 8), plans_for(default_looks, 4), margin).verdict,
              Verdict::inconclusive);
    EXPECT_EQ(decide(around(0.03, 0.005, 12), plans_for(default_looks, 4), margin).verdict,
              Verdict::regressed);
}

Decision swapped(const std::vector<OrderedRound>& rounds) {
    std::vector<OrderedRound> out;
    for (const auto& round : rounds)
        out.push_back({.worse = -round.worse, .a_first = !round.a_first, .block = round.block});
    return decide(out, plans_for(), margin);
}

// A decision may only differ in what "same" allows: it has no bound on the side of improvement.
TEST(decision, swapping_the_arms_mirrors_interval_estimate_and_changes) {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 0.01);
    int changes = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<OrderedRound> rounds;
        const double middle = 0.015 * (i % 7 - 3), position = i % 2 == 0 ? 0 : 0.03;
        for (int n = 0; n < 24; ++n) {
            const bool first = (n + n / 2) % 2 == 0;
            rounds.push_back(
                {middle + noise(random) + (first ? position : -position), first, n / 2});
        }
        const auto plain = decide(rounds, plans_for(), margin), mirror = swapped(rounds);
        if (plain.rounds != mirror.rounds) continue;
        EXPECT_EQ(*plain.estimate, -*mirror.estimate);
        EXPECT_EQ(plain.change->lo, -mirror.change->hi);
        EXPECT_EQ(plain.position_corrected, mirror.position_corrected);
        if (plain.verdict != Verdict::regressed) continue;
        ++changes;
        EXPECT_EQ(mirror.verdict, Verdict::improved);
    }
    EXPECT_GT(changes, 50);
}

TEST(decision, larger_slowdowns_never_turn_back_from_regressed) {
    std::mt19937 random(6);
    std::normal_distribution<double> noise(0, 0.01);
    for (int i = 0; i < 100; ++i) {
        Values values(12);
        for (double& value : values) value = noise(random);
        bool regressed = false;
        for (double slower = 0; slower < 0.06; slower += 0.004) {
            Values moved = values;
            for (double& value : moved) value += slower;
            const bool now = fixed(moved).verdict == Verdict::regressed;
            EXPECT_GE(now, regressed);
            regressed = now;
        }
        EXPECT_TRUE(regressed);
    }
}

TEST(decision, exact_metrics_are_equal_or_regressed) {
    const std::vector<PairedRound> equal = {{0, 5, 5}, {1, 7, 7}, {2, {}, 9}};
    EXPECT_EQ(decide_exact(equal).verdict, Verdict::same);
    EXPECT_EQ(decide_exact(equal).rounds, 2);
    const std::vector<PairedRound> fewer = {{0, 5, 5}, {4, 7, 6}, {5, 1, 2}};
    EXPECT_EQ(decide_exact(fewer).verdict, Verdict::regressed);
    EXPECT_EQ(decide_exact(fewer).differing_round, 4);
    EXPECT_EQ(reason(decide_exact(fewer), Scale::log_ratio),
              "must be equal, and differs first in round 4");
    EXPECT_EQ(decide_exact({}).verdict, Verdict::inconclusive);
    const std::vector<PairedRound> nan = {{0, std::nan(""), std::nan("")}};
    EXPECT_EQ(decide_exact(nan).verdict, Verdict::regressed);
}

TEST(decision, reason_holds_the_numbers_that_decided) {
    const auto text = reason(fixed(Values(8, std::log(1.05))), Scale::log_ratio);
    EXPECT_EQ(text,
              "estimate +5.00 % of 8 rounds, at least the margin of 2.00 % worse, and the interval "
              "[+5.00 %, +5.00 %] (96.09 %) lies above 0");
    for (const auto& decision :
         {fixed(Values(8, 0)), fixed(around(0, 0.2, 12)), fixed(Values(3, 0)),
          fixed(around(-0.03, 0.005, 12)), fixed(Values(8, 1), std::nullopt)})
        EXPECT_GT(reason(decision, Scale::difference).size(), 20u);
}

// Blocks of AB, BA or BA, AB.
std::vector<OrderedRound> with_position(double middle, double position, double noise) {
    std::vector<OrderedRound> rounds;
    for (int n = 0; n < 24; ++n) {
        const bool first = (n + (n / 2) % 3) % 2 == 0;
        const double wobble = noise * ((7 * n) % 24 - 11.5) / 12;
        rounds.push_back({middle + wobble + (first ? position : -position), first, n / 2});
    }
    return rounds;
}

TEST(position_effect, is_found_whichever_arm_runs_first) {
    const auto effect = position_effect(with_position(0.01, 0.03, 0.002));
    ASSERT_TRUE(effect);
    EXPECT_NEAR(effect->second_costs, 0.03, 0.001);
    EXPECT_TRUE(effect->excludes_zero());
    EXPECT_EQ(effect->blocks, 12);
    EXPECT_FALSE(position_effect(with_position(0.01, 0, 0.002))->excludes_zero());
}

TEST(position_effect, needs_two_whole_blocks) {
    auto rounds = with_position(0, 0.03, 0);
    EXPECT_FALSE(position_effect(std::span(rounds).first(3)));
    EXPECT_TRUE(position_effect(std::span(rounds).first(4)));
    for (auto& round : rounds) round.block = -1;
    EXPECT_FALSE(position_effect(rounds));
    EXPECT_FALSE(position_effect({}));
    const auto equal = position_effect(with_position(0, 0.03, 0));
    EXPECT_NEAR(equal->lo, equal->hi, 1e-12);
}

TEST(position_effect, that_is_large_is_corrected_and_said) {
    const auto decision = decide(with_position(0.001, 0.05, 0.002), plans_for(), margin);
    EXPECT_TRUE(decision.position_corrected);
    EXPECT_EQ(decision.verdict, Verdict::same);
    EXPECT_NE(reason(decision, Scale::log_ratio).find("running second costs +5.1"),
              std::string::npos);
    const auto small = decide(with_position(0.001, 0.005, 0.0001), plans_for(), margin);
    EXPECT_TRUE(small.position->excludes_zero());
    EXPECT_FALSE(small.position_corrected);  // less than half the margin
}

// Where the order is drawn, a disturbance of period 4 looks like a cost of position. Taking that
// off each round would make both rounds of a block lean to one side.
TEST(position_effect, correction_counts_a_block_once) {
    auto rounds = with_position(0.03, 0.05, 0.002);
    rounds.resize(8);
    const auto decision = decide(rounds, plans_for({8}), margin);
    EXPECT_TRUE(decision.position_corrected);
    EXPECT_EQ(decision.why, Why::no_interval);  // four blocks
}

TEST(position_effect, leaves_a_real_slowdown_in_place) {
    const auto decision = decide(with_position(0.03, 0.05, 0.002), plans_for(), margin);
    EXPECT_TRUE(decision.position_corrected);
    EXPECT_EQ(decision.verdict, Verdict::regressed);
    EXPECT_NEAR(*decision.estimate, 0.03, 0.002);
}

}  // namespace

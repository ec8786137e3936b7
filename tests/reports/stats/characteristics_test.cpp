// SPDX-License-Identifier: Apache-2.0
// What the default plan does to simulated comparisons: 400 a cell, 20,000 under TARE_LONG_TESTS=1,
// which prints the table of reports/stats/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "reports/stats/honest_margin.h"
#include "tests/reports/stats/series.h"

namespace {

using namespace reports::stats;
using fakes::Cell;
using fakes::Noise;
using fakes::Tally;

constexpr Noise all_noises[] = {
    Noise::normal,         Noise::t3,       Noise::spikes,  Noise::drift,
    Noise::autoregressive, Noise::position, Noise::period_4};

bool is_long() {
    return std::getenv("TARE_LONG_TESTS") != nullptr;
}

int series() {
    return is_long() ? 20'000 : 400;
}

// Four standard errors of a share.
double slack(double share) {
    return 4 * std::sqrt(share * (1 - share) / series());
}

Tally run(const char* change, const Cell& cell) {
    const Tally tally = fakes::simulate(cell, series());
    const auto percent = [&](int count) { return 100 * tally.share(count); };
    if (is_long())
        std::printf("%s\n",
                    fmt::format("| {} | {} | {:.2g} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | "
                                "{:.2f} | {:.2f} | {:.1f} |",
                                fakes::name(cell.noise), change, cell.margin / cell.sigma,
                                cell.gated, percent(tally.improved), percent(tally.same),
                                percent(tally.regressed), percent(tally.inconclusive),
                                percent(tally.all_same), percent(tally.any_regressed), tally.rounds)
                        .c_str());
    return tally;
}

void expect_few_alarms(const Tally& tally, double bound, Noise noise) {
    EXPECT_LE(tally.share(tally.regressed), bound + slack(bound)) << fakes::name(noise);
    EXPECT_LE(tally.share(tally.improved), bound + slack(bound)) << fakes::name(noise);
}

// The least margin is the hardest case: any estimate above 0 passes it.
TEST(characteristics, no_change_is_rarely_called_regressed_under_any_noise) {
    for (const Noise noise : all_noises) {
        expect_few_alarms(run("none", {.noise = noise, .margin = 1e-6}), default_alpha, noise);
        if (noise == Noise::normal || noise == Noise::t3 || noise == Noise::spikes) continue;
        expect_few_alarms(run("none", {.noise = noise, .margin = 0.005}), default_alpha, noise);
    }
}

// Half a standard deviation is less than any honest margin.
TEST(characteristics, independent_noise_gives_fewer_alarms_than_alpha_allows) {
    constexpr double designed = 0.018;
    for (const Noise noise : {Noise::normal, Noise::t3, Noise::spikes}) {
        expect_few_alarms(run("none", {.noise = noise, .margin = 0.005}), designed, noise);
        const auto tally =
            run("none, order unknown", {.noise = noise, .margin = 1e-6, .order_known = false});
        expect_few_alarms(tally, default_alpha, noise);
    }
}

TEST(characteristics, slowdowns_of_the_margin_or_more_are_rarely_called_same) {
    for (const Noise noise : all_noises) {
        const auto tally = run("margin", {.noise = noise, .slower = 0.005, .margin = 0.005});
        EXPECT_LE(tally.share(tally.same), default_alpha + slack(default_alpha))
            << fakes::name(noise);
    }
}

TEST(characteristics, quiet_machines_get_the_right_answer_at_once) {
    const double margin = std::log1p(0.02);
    const auto nothing = run("none", {.margin = margin});
    EXPECT_GE(nothing.share(nothing.same), 0.9995);
    const auto slower = run("3 % slower", {.slower = std::log1p(0.03), .margin = margin});
    EXPECT_GE(slower.share(slower.regressed), 0.9995);
    EXPECT_GE(slower.rounds, 8);
    EXPECT_LE(slower.rounds, 9);
}

TEST(characteristics, several_gated_metrics_share_the_false_alarms) {
    for (const int gated : {2, 4}) {
        const auto tally = run("none", {.margin = 1e-6, .gated = gated});
        EXPECT_LE(tally.share(tally.any_regressed), default_alpha + slack(default_alpha));
        const auto quiet = run("none", {.margin = std::log1p(0.02), .gated = gated});
        EXPECT_GE(quiet.share(quiet.all_same), 0.9995);
    }
}

std::vector<OrderedRound> a_against_a(int rounds, std::uint64_t seed) {
    return fakes::draw_series({}, seed, rounds);
}

TEST(honest_margin, is_the_designed_multiple_of_the_noise) {
    const auto rounds = a_against_a(1000, 1);
    for (const auto& [gated, multiple] : {std::pair{1, 0.78}, {4, 0.92}}) {
        const auto honest =
            honest_margin(rounds, {.plans = plans_for(default_looks, gated), .series = series()});
        ASSERT_TRUE(honest);
        EXPECT_EQ(honest->rounds, 1000);
        EXPECT_NEAR(honest->sigma, 0.01, 0.001);
        if (is_long())
            std::printf("%d metrics: margin %.3f sigma, detected %.3f margins\n", gated,
                        honest->margin / honest->sigma, *honest->detected / honest->margin);
        EXPECT_NEAR(honest->margin / honest->sigma, multiple, 0.1);
        EXPECT_NEAR(*honest->detected / honest->margin, 1.3, 0.1);
    }
}

TEST(honest_margin, scales_with_the_noise_and_repeats_for_a_seed) {
    auto rounds = a_against_a(24, 2);
    const auto one = honest_margin(rounds, {.series = 200});
    EXPECT_EQ(one->margin, honest_margin(rounds, {.series = 200})->margin);
    for (auto& round : rounds) round.worse *= 4;
    EXPECT_NEAR(honest_margin(rounds, {.series = 200})->margin, 4 * one->margin, 1e-9);
}

TEST(honest_margin, needs_twelve_whole_blocks) {
    auto rounds = a_against_a(24, 3);
    EXPECT_TRUE(honest_margin(rounds, {.series = 50}));
    EXPECT_FALSE(honest_margin(std::span(rounds).first(22), {.series = 50}));
    rounds[5].block = 100;
    EXPECT_FALSE(honest_margin(rounds, {.series = 50}));
    EXPECT_THROW(honest_margin(rounds, {.series = 0}), std::invalid_argument);
    EXPECT_THROW(honest_margin(rounds, {.goal = 1}), std::invalid_argument);
}

TEST(honest_margin, of_no_noise_is_nothing) {
    auto rounds = a_against_a(24, 3);
    for (auto& round : rounds) round.worse = 0;
    const auto honest = honest_margin(rounds, {.series = 50});
    EXPECT_EQ(honest->margin, 0);
    EXPECT_EQ(honest->detected, 0);
}

TEST(honest_margin, of_a_plan_that_cannot_call_a_change_has_no_detected_slowdown) {
    const auto rounds = a_against_a(24, 3);
    const auto honest = honest_margin(rounds, {.plans = plans_for({6}, 4), .series = 50});
    EXPECT_GT(honest->margin, 0);
    EXPECT_EQ(honest->detected, std::nullopt);
    EXPECT_FALSE(honest_margin(rounds, {.plans = plans_for({4}), .series = 50}));
}

TEST(false_alarms, are_few_where_nothing_changed_and_counted_apart) {
    const auto alarms = false_alarms(a_against_a(240, 4), 1e-6, {.series = series()});
    ASSERT_TRUE(alarms);
    EXPECT_EQ(alarms->resampled, series());
    EXPECT_EQ(alarms->whole, 10);
    EXPECT_LE(alarms->whole_alarms, 2);
    EXPECT_LE(alarms->resampled_alarms, (default_alpha + slack(default_alpha)) * series());
    EXPECT_FALSE(false_alarms(a_against_a(22, 4), 0.01));
}

// The alarm can ring: every round of these "A/A" comparisons was slower.
TEST(false_alarms, ring_when_rounds_as_run_lean_to_one_side) {
    auto rounds = a_against_a(48, 5);
    for (auto& round : rounds) round.worse = 0.05 + round.worse / 10;
    const auto alarms = false_alarms(rounds, 0.01, {.series = 400});
    EXPECT_EQ(alarms->whole_alarms, 2);
    EXPECT_LE(alarms->resampled_alarms, 40);  // coins leave few series all on one side
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Where marks and ticks of plots are, and that a waterfall adds up as it is printed.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "reports/render/plot_axis.h"
#include "reports/render/waterfall_steps.h"
#include "tests/reports/render/comparison_fixture.h"

namespace reports::render {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(PlotAxis, places_are_shares_and_what_lies_beyond_is_at_the_end) {
    const PlotAxis axis{-1, 3};
    EXPECT_DOUBLE_EQ(axis.at(0), 0.25);
    EXPECT_DOUBLE_EQ(axis.at(99), 1);
    EXPECT_DOUBLE_EQ(axis.at(-99), 0);
    EXPECT_TRUE(axis.holds(3));
    EXPECT_FALSE(axis.holds(3.1));
    EXPECT_DOUBLE_EQ(axis.at(NAN), 0);
}

TEST(PlotAxis, covers_every_value_that_is_finite_and_never_less_than_its_least_span) {
    const PlotAxis axis = axis_over({0, 2, INFINITY, NAN, -INFINITY}, 1, {-10, 10});
    EXPECT_LT(axis.low, 0);
    EXPECT_GT(axis.high, 2);
    EXPECT_LT(axis.high, 3);
    const PlotAxis one = axis_over({5}, 1, {-10, 10});
    EXPECT_GE(one.high - one.low, 1);
    EXPECT_TRUE(one.holds(5));
    const PlotAxis far = axis_over({-1e9, 0, 1e9}, 1, {-10, 10});
    EXPECT_GE(far.low, -15);
    EXPECT_LE(far.high, 15);
    const PlotAxis none = axis_over({}, 1, {-10, 10});
    EXPECT_LT(none.low, none.high);
}

TEST(Ticks, are_round_and_no_more_than_asked_for) {
    EXPECT_THAT(round_ticks(0.93, 1.21, 4).values,
                ElementsAre(DoubleNear(1, 1e-9), DoubleNear(1.1, 1e-9), DoubleNear(1.2, 1e-9)));
    EXPECT_EQ(round_ticks(0.93, 1.21, 4).decimals, 1);
    EXPECT_EQ(round_ticks(0.98, 1.03, 6).decimals, 2);
    EXPECT_EQ(round_ticks(-30, 170, 5).decimals, 0);
    EXPECT_TRUE(round_ticks(1, 1, 5).values.empty());
    EXPECT_TRUE(round_ticks(0, INFINITY, 5).values.empty());
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-9, 9), at(-1, 1);
    for (int i = 0; i < 5000; ++i) {
        const double size = std::pow(10, exponent(random)), low = size * at(random);
        const double high = low + size * (1.001 + at(random));
        for (const int most : {2, 4, 6}) {
            const Ticks ticks = round_ticks(low, high, most);
            EXPECT_LE(ticks.values.size(), static_cast<std::size_t>(most)) << low << ' ' << high;
            for (const double tick : ticks.values) {
                EXPECT_GE(tick, low - 1e-9 * size);
                EXPECT_LE(tick, high + 1e-9 * size);
            }
        }
    }
}

// The number of a printed step, in thousandths of its unit.
long thousandths(const std::string& text) {
    return std::lround(std::stod(text) * 1000);
}

void expect_adds_up(const std::vector<WaterfallStep>& steps) {
    double sum = 0;
    long printed = 0;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        EXPECT_DOUBLE_EQ(steps[i].from_ns, sum);
        sum += steps[i].delta_ns;
        EXPECT_DOUBLE_EQ(steps[i].to_ns, sum);
        printed += thousandths(steps[i].text);
    }
    EXPECT_NEAR(sum, steps.back().delta_ns, 1e-6 * (1 + std::abs(sum)));
    EXPECT_EQ(printed, thousandths(steps.back().text));
}

TEST(WaterfallSteps, kernels_stand_by_name_and_printed_figures_add_up) {
    const PairVerdict pair = tests::a_pair();
    const auto steps = waterfall_steps(pair, pair.waterfalls[0], 1);
    ASSERT_EQ(steps.size(), 7u);
    EXPECT_EQ(steps[0].name, "matmul_kernel");
    EXPECT_EQ(steps[0].about, "layer.*.mlp/up");
    EXPECT_EQ(steps[0].text, "+90.000 µs");
    EXPECT_EQ(steps[1].name, "other kernels");
    EXPECT_EQ(steps[1].text, "-2.000 µs");
    EXPECT_EQ(steps.back().text, "+100.350 µs");
    expect_adds_up(steps);
    EXPECT_EQ(waterfall_steps(pair, pair.waterfalls[0], 2)[1].name, "other_kernel");
}

TEST(WaterfallSteps, single_paths_and_other_phases_are_not_counted_twice) {
    PairVerdict pair = tests::a_pair();
    pair.kernels.push_back(tests::a_change("prefill/layer.01.mlp/up", "matmul_kernel", 30'000));
    pair.kernels.back().whole_op = false;
    pair.kernels.push_back(tests::a_change("decode/layer.*.mlp/up", "matmul_kernel", 70'000));
    pair.kernels.back().phase = "decode";
    const auto steps = waterfall_steps(pair, pair.waterfalls[0], 8);
    EXPECT_EQ(steps[2].name, "shared") << "two kernels, no others";
    expect_adds_up(steps);
}

TEST(WaterfallSteps, nobody_is_blamed_when_profiling_changed_the_answer) {
    PairVerdict pair = tests::a_pair();
    pair.waterfalls[0].profiling_changed_the_answer = true;
    const auto steps = waterfall_steps(pair, pair.waterfalls[0], 8);
    EXPECT_EQ(steps[0].name, "kernels");
    expect_adds_up(steps);
}

TEST(WaterfallSteps, print_a_sum_that_holds_to_the_last_digit_whatever_is_rounded) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> ns(0, 1e6);
    for (int i = 0; i < 2000; ++i) {
        PairVerdict pair = tests::a_pair();
        pair.kernels.clear();
        for (int k = 0; k < i % 7; ++k)
            pair.kernels.push_back(tests::a_change("prefill/x", "k", ns(random)));
        Waterfall& waterfall = pair.waterfalls[0];
        waterfall.wall_ns = ns(random);
        for (Waterfall::Row& row : waterfall.rows) row.delta_ns = ns(random);
        expect_adds_up(waterfall_steps(pair, waterfall, 3));
    }
}

}  // namespace
}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// Pairs of values, with everything that can be wrong about them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reports/stats/paired.h"
#include "reports/stats/rank_tests.h"

namespace {

using namespace reports::stats;
using reports::Direction;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<PairedRound> pairs(const std::vector<std::pair<double, double>>& values) {
    std::vector<PairedRound> out;
    for (const auto& [a, b] : values) out.push_back({static_cast<int>(out.size()), a, b});
    return out;
}

TEST(paired, slower_is_positive_whatever_the_direction_of_the_metric) {
    const auto rounds = pairs({{100, 110}});
    EXPECT_NEAR(paired_sample(rounds, Direction::lower).worse.at(0), std::log(1.1), 1e-15);
    EXPECT_NEAR(paired_sample(rounds, Direction::higher).worse.at(0), -std::log(1.1), 1e-15);
    EXPECT_GT(paired_sample(rounds, Direction::none).worse.at(0), 0);
}

TEST(paired, arms_that_change_places_mirror_bit_for_bit) {
    for (const auto& [a, b] : {std::pair{3.0, 7.0}, {0.1, 0.7}, {1e-300, 1e300}, {5e-324, 1.0}}) {
        const double one = paired_sample(pairs({{a, b}}), Direction::lower).worse.at(0);
        EXPECT_EQ(one, -paired_sample(pairs({{b, a}}), Direction::lower).worse.at(0));
        EXPECT_TRUE(std::isfinite(one));
        EXPECT_NEAR(one, std::log(b) - std::log(a), 1e-12 * std::abs(one) + 1e-15);
    }
}

TEST(paired, equal_quotients_are_ties_in_both_directions) {
    const auto sample =
        paired_sample(pairs({{100, 101}, {300, 303}, {101, 100}, {7, 7}}), Direction::lower);
    EXPECT_EQ(sample.worse[0], sample.worse[1]);
    EXPECT_EQ(sample.worse[0], -sample.worse[2]);
    EXPECT_EQ(sample.worse[3], 0);
    EXPECT_TRUE(signed_rank_test(sample.worse).ties);
}

TEST(paired, missing_arm_leaves_the_round_out_and_says_so) {
    const std::vector<PairedRound> rounds = {
        {0, 1.0, 2.0}, {1, std::nullopt, 2.0}, {2, 1.0, std::nullopt}, {3, {}, {}}, {4, 2.0, 2.0}};
    const auto sample = paired_sample(rounds, Direction::lower);
    EXPECT_EQ(sample.kept, (std::vector<std::size_t>{0, 4}));
    EXPECT_EQ(sample.worse.size(), 2u);
    ASSERT_EQ(sample.left_out.size(), 3u);
    EXPECT_EQ(sample.left_out[0].reason, "arm a has no value in round 1");
    EXPECT_EQ(sample.left_out[1].reason, "arm b has no value in round 2");
    EXPECT_EQ(sample.left_out[2].reason, "both arms have no value in round 3");
}

TEST(paired, no_rounds_are_an_empty_sample) {
    const auto sample = paired_sample({}, Direction::lower);
    EXPECT_TRUE(sample.worse.empty());
    EXPECT_EQ(sample.scale, Scale::log_ratio);
}

TEST(paired, zero_or_negative_values_are_compared_by_difference) {
    const auto sample = paired_sample(pairs({{2, 5}, {0, 1}, {-1, 2}}), Direction::lower);
    EXPECT_EQ(sample.scale, Scale::difference);
    EXPECT_EQ(sample.worse, (std::vector<double>{3, 1, 3}));
    EXPECT_EQ(sample.reason, "round 1, arm a: 0 has no logarithm");
    EXPECT_EQ(paired_sample(pairs({{2, -5}}), Direction::higher).worse.at(0), 7);
}

TEST(paired, values_that_are_not_finite_are_only_reported) {
    for (const double bad : {infinity, -infinity, std::nan("")}) {
        const auto sample = paired_sample(pairs({{0, 1}, {1, bad}}), Direction::lower);
        EXPECT_EQ(sample.scale, Scale::reported_only);
        EXPECT_TRUE(sample.worse.empty());
        EXPECT_NE(sample.reason.find("round 1, arm b"), std::string::npos) << sample.reason;
    }
    EXPECT_EQ(paired_sample(pairs({{-1e308, 1e308}}), Direction::lower).scale,
              Scale::reported_only);
}

TEST(paired, margin_fits_its_scale_or_there_is_none) {
    const Margin share{.share = 0.02, .absolute = {}}, both{.share = 0.02, .absolute = 5.0};
    EXPECT_EQ(margin_on(Scale::log_ratio, share), std::log1p(0.02));
    EXPECT_EQ(margin_on(Scale::difference, share), std::nullopt);
    EXPECT_EQ(margin_on(Scale::difference, both), 5.0);
    EXPECT_EQ(margin_on(Scale::reported_only, both), std::nullopt);
    EXPECT_EQ(margin_on(Scale::log_ratio, {}), std::nullopt);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Samples of two days: their shift, its interval, and the verdict.
#include "reports/stats/two_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "reports/stats/signed_rank_law.h"

namespace {

using namespace reports::stats;
using Values = std::vector<double>;

Values normal(int n, double mean, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> draw(mean, 0.01);
    Values out(static_cast<std::size_t>(n));
    for (double& one : out) one = draw(engine);
    return out;
}

TEST(two_sample, law_of_small_samples_is_the_table) {
    // 4 over 2 orders of two and two: U = 0, 1, 2, 2, 3, 4.
    const auto law = rank_sum_law(2, 2);
    ASSERT_EQ(law.size(), 5u);
    EXPECT_NEAR(law[0], 1.0 / 6, 1e-15);
    EXPECT_NEAR(law[2], 2.0 / 6, 1e-15);
    EXPECT_EQ(rank_sum_law(0, 5), Values{1});
    EXPECT_EQ(rank_sum_law(3, 0), Values{1});
    const auto large = rank_sum_law(100, 60);
    EXPECT_NEAR(std::accumulate(large.begin(), large.end(), 0.0), 1, 1e-12);
    EXPECT_THROW(rank_sum_law(101, 1), std::invalid_argument);
}

TEST(two_sample, each_verdict_has_its_case) {
    const Values a = normal(12, 0, 1);
    const auto verdict = [&](double mean) {
        return *decide_unpaired(a, normal(12, mean, 2), 1, 0.02).verdict;
    };
    EXPECT_EQ(verdict(0), Verdict::same);
    EXPECT_EQ(verdict(0.06), Verdict::regressed);
    EXPECT_EQ(verdict(-0.06), Verdict::improved);
    EXPECT_EQ(verdict(0.02), Verdict::inconclusive);
}

TEST(two_sample, too_few_have_no_interval_and_no_verdict) {
    const Values three = {1, 2, 3};
    const auto decision = decide_unpaired(three, three, 1, 0.02);
    EXPECT_EQ(decision.verdict, Verdict::inconclusive);
    EXPECT_EQ(decision.why, Why::no_interval);
    EXPECT_EQ(decide_unpaired({}, {}, 1, 0.02).verdict, Verdict::inconclusive);
    // P(U = 0) of 4 and 4 is 1/70 <= 2.5 %; of one in four metrics it is not.
    EXPECT_TRUE(decide_unpaired(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}, 1, 0.02).change);
    EXPECT_FALSE(decide_unpaired(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}, 4, 0.02).change);
}

TEST(two_sample, swapping_the_sides_mirrors_the_decision) {
    const Values a = normal(9, 0, 3), b = normal(14, 0.05, 4);
    const auto one = decide_unpaired(a, b, 2, 0.01), other = decide_unpaired(b, a, 2, 0.01);
    EXPECT_EQ(*one.estimate, -*other.estimate);
    EXPECT_EQ(one.change->lo, -other.change->hi);
    EXPECT_EQ(one.change->coverage, other.change->coverage);
}

// The interval must hold the true shift as often as it says: 2,000 draws, four standard errors.
TEST(two_sample, interval_covers_as_often_as_it_says) {
    int covered = 0;
    double coverage = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        const auto decision =
            decide_unpaired(normal(8, 0, 2 * i + 10), normal(12, 0.03, 2 * i + 11), 1, 0.02);
        coverage = decision.same->coverage;
        covered += decision.same->lo <= 0.03 && 0.03 <= decision.same->hi;
    }
    EXPECT_GE(coverage, 0.95);
    EXPECT_NEAR(covered / 2000.0, coverage, 4 * std::sqrt(coverage * (1 - coverage) / 2000));
}

TEST(two_sample, what_is_no_number_is_refused) {
    const Values bad = {1, std::numeric_limits<double>::quiet_NaN()};
    EXPECT_THROW(shifts(bad, bad), std::invalid_argument);
    EXPECT_THROW(decide_unpaired(Values{1}, Values{1}, 1, 0), std::invalid_argument);
}

}  // namespace

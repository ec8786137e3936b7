// SPDX-License-Identifier: Apache-2.0
// Sign and signed-rank tests and their intervals against enumeration of every sign flip.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "reports/stats/median_interval.h"
#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"
#include "reports/stats/walsh.h"

namespace {

using namespace reports::stats;
using Values = std::vector<double>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Values mirrored(Values values) {
    for (double& value : values) value = -value;
    return values;
}

// Mean rank of |values[i]|, from its definition.
double mid_rank(const Values& values, std::size_t i) {
    double below = 0, equal = 0;
    for (const double value : values) {
        below += std::abs(value) < std::abs(values[i]);
        equal += std::abs(value) == std::abs(values[i]);
    }
    return below + (equal + 1) / 2;
}

struct Enumerated {
    double less = 0, greater = 0;
};

// Shares of the 2^n sign flips whose rank sum is at most, at least, that of `values`.
Enumerated enumerate(const Values& values, bool ranks) {
    const std::size_t n = values.size(), flips = std::size_t{1} << n;
    Values weight(n, 1.0);
    double seen = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (ranks) weight[i] = mid_rank(values, i);
        if (values[i] > 0) seen += weight[i];
    }
    Enumerated out;
    for (std::size_t flip = 0; flip < flips; ++flip) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += (flip >> i & 1) != 0 ? weight[i] : 0;
        out.less += sum <= seen;
        out.greater += sum >= seen;
    }
    return {out.less / static_cast<double>(flips), out.greater / static_cast<double>(flips)};
}

void expect_enumerated(const TestResult& result, const Enumerated& all) {
    EXPECT_EQ(result.p_less, all.less);
    EXPECT_EQ(result.p_greater, all.greater);
    EXPECT_EQ(result.p_two_sided, std::min(1.0, 2 * std::min(all.less, all.greater)));
}

TEST(rank_tests, equal_the_enumeration_of_thousands_of_samples_with_ties_and_zeros) {
    std::mt19937 random(11);
    int tied = 0, with_zeros = 0;
    for (int i = 0; i < 3000; ++i) {
        const int span = i % 3 == 0 ? 1000 : 4;
        Values values(1 + random() % 10), kept;
        for (double& value : values) value = static_cast<int>(random() % (2 * span + 1)) - span;
        std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
                     [](double value) { return value != 0; });
        const auto signed_rank = signed_rank_test(values);
        EXPECT_EQ(signed_rank.zeros, static_cast<int>(values.size() - kept.size()));
        expect_enumerated(signed_rank, enumerate(kept, true));
        expect_enumerated(sign_test(values), enumerate(kept, false));
        tied += signed_rank.ties;
        with_zeros += signed_rank.zeros > 0;
    }
    EXPECT_GT(tied, 1000);
    EXPECT_GT(with_zeros, 800);
}

TEST(rank_tests, of_nothing_or_of_zeros_say_nothing) {
    for (const Values& values : {Values{}, Values{0}, Values{0, -0.0, 0}}) {
        for (const auto& result : {sign_test(values), signed_rank_test(values)}) {
            EXPECT_EQ(result.n, 0);
            EXPECT_EQ(result.zeros, static_cast<int>(values.size()));
            EXPECT_EQ(result.p_two_sided, 1);
            EXPECT_EQ(result.p_greater, 1);
        }
    }
}

TEST(rank_tests, all_on_one_side_have_the_published_sign_p) {
    EXPECT_EQ(sign_test(Values(6, 1)).p_two_sided, 0.03125);
    EXPECT_EQ(sign_test(Values(8, -1)).p_two_sided, 0.0078125);
    EXPECT_NEAR(sign_test(Values(12, 1)).p_two_sided, 0.00049, 0.000002);
    EXPECT_EQ(signed_rank_test(Values(6, 2)).p_two_sided, 0.03125);  // all equal: all tied
    EXPECT_EQ(sign_test(Values{3}).p_two_sided, 1);
}

TEST(rank_tests, mirror_when_the_sides_change_and_ignore_scale) {
    const Values values = {0.3, -1.25, 2.5, 0, 2.5, 4, -0.5, 0.3, 7};
    const auto plain = signed_rank_test(values), mirror = signed_rank_test(mirrored(values));
    EXPECT_EQ(plain.p_less, mirror.p_greater);
    EXPECT_EQ(plain.p_two_sided, mirror.p_two_sided);
    Values scaled = values;
    for (double& value : scaled) value *= 1024;
    EXPECT_EQ(signed_rank_test(scaled).p_less, plain.p_less);
}

TEST(rank_tests, refuse_what_is_no_number_and_more_than_an_exact_law_holds) {
    EXPECT_THROW(sign_test(Values{1, not_a_number}), std::invalid_argument);
    EXPECT_THROW(signed_rank_test(Values{1, HUGE_VAL}), std::invalid_argument);
    EXPECT_THROW(signed_rank_test(Values(most_pairs + 1, 1)), std::invalid_argument);
    EXPECT_THROW(walsh_averages(Values(most_pairs + 1, 1)), std::invalid_argument);
}

TEST(signed_rank_law, is_whole_for_many_rounds) {
    for (const int n : {0, 1, 5, 64, 300, most_pairs}) {
        const auto law = signed_rank_law(n);
        EXPECT_EQ(law.size(), static_cast<std::size_t>(n * (n + 1) / 2 + 1));
        EXPECT_EQ(law.front(), std::ldexp(1.0, -n));
        EXPECT_EQ(law.front(), law.back());
        EXPECT_NEAR(at_most(law, n * (n + 1) / 2), 1, 1e-12);
        EXPECT_EQ(at_most(law, -1), 0);
    }
}

TEST(median_interval, has_the_published_ranks_and_coverages) {
    struct Published {
        int n, rank;
        double coverage;
    };

    for (const auto& [n, rank, coverage] :
         {Published{6, 1, 0.969}, {8, 1, 0.992}, {12, 3, 0.961}, {14, 3, 0.987}}) {
        Values values;
        for (int i = n; i >= 1; --i) values.push_back(i);
        const auto interval = median_interval(values);
        ASSERT_TRUE(interval) << n;
        EXPECT_EQ(interval->rank, rank);
        EXPECT_EQ(interval->lo, rank);
        EXPECT_EQ(interval->hi, n + 1 - rank);
        EXPECT_NEAR(interval->coverage, coverage, 0.0005);
    }
    EXPECT_NEAR(median_interval({1, 2, 3, 4, 5, 6, 7, 8}, 0.92)->coverage, 0.930, 0.0005);
}

TEST(median_interval, does_not_exist_below_six_values) {
    for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(Values(static_cast<std::size_t>(n))));
    EXPECT_EQ(median_interval(Values(6, 5))->lo, 5);
    EXPECT_EQ(median_interval(Values(6, 5))->hi, 5);
    EXPECT_THROW(median_interval({1, not_a_number}), std::invalid_argument);
}

TEST(walsh, of_few_values_has_an_estimate_and_no_interval) {
    EXPECT_FALSE(hodges_lehmann({}));
    EXPECT_EQ(hodges_lehmann(walsh_averages(Values{7})), 7);
    EXPECT_EQ(hodges_lehmann(walsh_averages(Values{1, 4})), 2.5);
    EXPECT_FALSE(signed_rank_interval(Values{1, 2, 3, 4, 5}));
    EXPECT_TRUE(signed_rank_interval(Values{1, 2, 3, 4, 5, 6}));
    EXPECT_FALSE(walsh_interval({1, 2, 3}, -1, 0));
    EXPECT_FALSE(walsh_interval({1, 2, 3}, 2, 0));
    EXPECT_EQ(hodges_lehmann(walsh_averages(Values{1e308, 1.5e308})), 1.25e308);
}

// The interval is the set of shifts that the one-sided tests at its tails do not reject.
TEST(walsh, interval_inverts_the_signed_rank_test) {
    std::mt19937 random(3);
    std::normal_distribution<double> draw(1, 2);
    for (int i = 0; i < 400; ++i) {
        Values values(6 + random() % 20);
        for (double& value : values) value = draw(random);
        const auto interval = signed_rank_interval(values);
        ASSERT_TRUE(interval);
        EXPECT_GE(interval->coverage, 0.95);
        const double tail = (1 - interval->coverage) / 2 + 1e-12, step = 1e-9;
        const auto shifted = [&](double by) {
            Values out = values;
            for (double& value : out) value -= by;
            return signed_rank_test(out);
        };
        EXPECT_LE(shifted(interval->lo - step).p_greater, tail);
        EXPECT_GT(shifted(interval->lo + step).p_greater, tail);
        EXPECT_LE(shifted(interval->hi + step).p_less, tail);
        EXPECT_GT(shifted(interval->hi - step).p_less, tail);
    }
}

TEST(walsh, interval_mirrors_bit_for_bit_and_moves_with_scale) {
    const Values values = {0.3, -1.25, 2.5, 0, 2.5, 4, -0.5, 0.3, 7};
    const auto plain = signed_rank_interval(values),
               mirror = signed_rank_interval(mirrored(values));
    EXPECT_EQ(plain->lo, -mirror->hi);
    EXPECT_EQ(plain->hi, -mirror->lo);
    EXPECT_EQ(*hodges_lehmann(walsh_averages(values)),
              -*hodges_lehmann(walsh_averages(mirrored(values))));
    Values scaled = values;
    for (double& value : scaled) value *= 4;
    EXPECT_EQ(signed_rank_interval(scaled)->lo, 4 * plain->lo);
    EXPECT_LT(signed_rank_interval(values, 0.99)->lo, plain->lo);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Median, histogram and interval union, with their degenerate cases.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "reports/stats/histogram.h"
#include "reports/stats/interval.h"
#include "reports/stats/summary.h"

namespace {

using reports::stats::Histogram;
using reports::stats::IntervalUnion;
using reports::stats::median;
using reports::stats::spread;

TEST(summary, median_of_nothing_is_unknown) {
    EXPECT_EQ(median({}), std::nullopt);
    EXPECT_EQ(spread({}), std::nullopt);
}

TEST(summary, summary_of_one_sample_has_no_spread) {
    const auto one = spread({7});
    ASSERT_TRUE(one);
    EXPECT_EQ(one->median, 7);
    EXPECT_EQ(one->min, one->max);
    EXPECT_EQ(one->n, 1);
}

TEST(summary, equal_values_have_no_spread) {
    const auto equal = spread({3, 3, 3, 3});
    EXPECT_EQ(equal->median, 3);
    EXPECT_EQ(equal->min, 3);
    EXPECT_EQ(equal->max, 3);
}

TEST(summary, median_is_the_middle_or_the_mean_of_two) {
    EXPECT_EQ(median({5, 1, 3}), 3);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(spread({4, 1, 3, 2})->max, 4);
}

TEST(summary, ratio_to_zero_is_unknown) {
    EXPECT_EQ(reports::stats::ratio(1, 0), std::nullopt);
    EXPECT_EQ(reports::stats::ratio(1, std::numeric_limits<double>::infinity()), std::nullopt);
    EXPECT_EQ(reports::stats::ratio(6, 3), 2);
}

TEST(histogram, of_nothing_has_no_quantile) {
    EXPECT_EQ(Histogram().quantile(0.5), std::nullopt);
    EXPECT_TRUE(Histogram().encode().empty());
}

TEST(histogram, small_values_are_exact) {
    Histogram h;
    for (int v = 0; v <= 60; ++v) h.add(v);
    EXPECT_EQ(h.quantile(0), 0);
    EXPECT_EQ(h.quantile(0.5), 30);
    EXPECT_EQ(h.quantile(1), 60);
}

TEST(histogram, one_value_is_every_quantile) {
    Histogram h;
    h.add(123'456'789);
    for (const double q : {0.0, 0.5, 0.99, 1.0}) {
        EXPECT_NEAR(*h.quantile(q), 123'456'789, 123'456'789 * reports::stats::histogram_error);
    }
}

TEST(histogram, quantiles_are_within_the_stated_error) {
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> draw(10, 3);
    std::vector<std::int64_t> values;
    Histogram h;
    for (int i = 0; i < 20'001; ++i) {
        values.push_back(static_cast<std::int64_t>(draw(random)));
        h.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) {
        const auto rank = static_cast<std::size_t>(std::ceil(q * 20'001)) - 1;
        const auto exact = static_cast<double>(values[rank]);
        EXPECT_NEAR(*h.quantile(q), exact, exact * reports::stats::histogram_error + 0.5) << q;
    }
}

TEST(histogram, survives_its_bytes_and_the_largest_value) {
    Histogram h;
    for (const std::int64_t v :
         {std::int64_t{-5}, std::int64_t{0}, std::int64_t{63}, std::int64_t{64},
          std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
        h.add(v);
        h.add(v);
    }
    EXPECT_EQ(Histogram::decode(h.encode()), h);
    EXPECT_EQ(h.count(), 12u);
}

TEST(histogram, refuses_bytes_that_are_none) {
    EXPECT_EQ(Histogram::decode(std::vector<std::uint8_t>{0x80}), std::nullopt);
    EXPECT_EQ(Histogram::decode(std::vector<std::uint8_t>{5}), std::nullopt);
    EXPECT_EQ(Histogram::decode(std::vector<std::uint8_t>{5, 0}), std::nullopt);
    EXPECT_EQ(Histogram::decode(std::vector<std::uint8_t>{0xff, 0xff, 0xff, 0x7f, 1}),
              std::nullopt);
}

TEST(histogram, merged_is_as_if_added_to_one) {
    Histogram a, b, both;
    for (int v = 0; v < 1000; ++v) {
        (v % 3 == 0 ? a : b).add(v * v);
        both.add(v * v);
    }
    a.merge(b);
    EXPECT_EQ(a, both);
}

TEST(interval_union, of_nothing_is_zero) {
    IntervalUnion u;
    u.add(5, 5);
    u.add(7, 3);
    EXPECT_EQ(u.total_ns(), 0);
    EXPECT_EQ(u.within_ns(0, 100), 0);
}

TEST(interval_union, counts_overlap_once) {
    IntervalUnion u;
    u.add(10, 20);
    u.add(15, 30);
    u.add(30, 40);  // touches
    u.add(0, 5);    // out of order
    u.add(4, 12);   // bridges
    EXPECT_EQ(u.total_ns(), 40);
    EXPECT_EQ(u.within_ns(2, 10), 8);
    EXPECT_EQ(u.within_ns(38, 100), 2);
    EXPECT_EQ(u.late_ns(), 0);
}

TEST(interval_union, agrees_with_marking_every_ns) {
    std::mt19937 random(7);
    IntervalUnion u;
    std::vector<bool> marked(2000);
    for (int i = 0; i < 300; ++i) {
        const auto start = static_cast<std::int64_t>(random() % 1900),
                   length = static_cast<std::int64_t>(random() % 20);
        u.add(start, start + length);
        for (std::int64_t t = start; t < start + length; ++t)
            marked[static_cast<std::size_t>(t)] = true;
    }
    EXPECT_EQ(u.total_ns(), std::count(marked.begin(), marked.end(), true));
    EXPECT_EQ(u.within_ns(500, 900), std::count(marked.begin() + 500, marked.begin() + 900, true));
}

TEST(interval_union, folding_changes_nothing_in_order) {
    IntervalUnion u(4);
    for (int i = 0; i < 1000; ++i) u.add(10 * i, 10 * i + 3);
    EXPECT_EQ(u.total_ns(), 3000);
    EXPECT_EQ(u.within_ns(0, 10'000), 3000);
    EXPECT_EQ(u.late_ns(), 0);
}

TEST(interval_union, tells_what_came_too_late_to_be_placed) {
    IntervalUnion u(4);
    for (int i = 0; i < 100; ++i) u.add(10 * i, 10 * i + 3);
    u.add(4, 8);
    EXPECT_EQ(u.late_ns(), 4);
    EXPECT_EQ(u.total_ns(), 300);
}

}  // namespace

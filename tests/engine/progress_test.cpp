// SPDX-License-Identifier: Apache-2.0
// Progress: what it says, and when.
#include "engine/commands/progress.h"

#include <gtest/gtest.h>

namespace {

using engine::commands::ProgressLines;

constexpr std::uint64_t total = 20'000'000'000;

TEST(Progress, of_less_than_two_seconds_says_nothing) {
    ProgressLines lines("x", 3);
    EXPECT_EQ(lines.at(0.1, total / 20, total), std::nullopt);
    EXPECT_EQ(lines.at(1.9, total - 1, total), std::nullopt);
    EXPECT_EQ(lines.at(2.5, total, total), std::nullopt);  // done
    EXPECT_FALSE(lines.has_spoken());
}

TEST(Progress, says_the_share_and_the_time_left_every_few_seconds) {
    ProgressLines lines("synthetic:nano: weights made", 3);
    EXPECT_EQ(lines.at(2, total / 10, total),
              "synthetic:nano: weights made: 10 % of 20.00 GB, 18 s left");
    EXPECT_EQ(lines.at(4.9, total / 5, total), std::nullopt);
    EXPECT_EQ(lines.at(5, total / 4, total),
              "synthetic:nano: weights made: 25 % of 20.00 GB, 15 s left");
    EXPECT_TRUE(lines.has_spoken());
}

TEST(Progress, without_a_byte_done_knows_no_time_left) {
    ProgressLines lines("x", 3);
    EXPECT_EQ(lines.at(10, 0, total), std::nullopt);
}

}  // namespace

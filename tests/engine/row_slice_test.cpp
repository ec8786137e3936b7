// SPDX-License-Identifier: Apache-2.0
// Views of rows: the parent's own memory, within its bounds.
#include "engine/cpu/row_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "engine/ops/registry.h"
#include "engine/ops/row_slice.h"
#include "tests/engine/scratch_files.h"

namespace {

using engine::cpu::RowSlice;
using testing::ElementsAre;

// Rows {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}.
class Slices : public testing::Test {
  protected:
    Slices() { std::iota(values_.begin(), values_.end(), 0); }

    std::vector<int> values_ = std::vector<int>(12);
    RowSlice<int> rows_{values_.data(), 4, 3};
};

TEST_F(Slices, are_the_parents_rows_without_a_copy) {
    const auto middle = rows_.slice(1, 2);
    EXPECT_EQ(middle.data(), values_.data() + 3);
    EXPECT_EQ(middle.rows(), 2);
    EXPECT_EQ(middle.width(), 3);
    EXPECT_THAT(middle.row(0), ElementsAre(3, 4, 5));
    EXPECT_THAT(middle.row(1), ElementsAre(6, 7, 8));
}

TEST_F(Slices, what_is_written_reaches_the_parent_and_nothing_else) {
    for (int& value : rows_.slice(2, 1).row(0)) value = -value;
    EXPECT_THAT(values_, ElementsAre(0, 1, 2, 3, 4, 5, -6, -7, -8, 9, 10, 11));
}

TEST_F(Slices, of_slices_count_from_their_own_first_row) {
    const auto inner = rows_.slice(1, 3).slice(2, 1);
    EXPECT_THAT(inner.row(0), ElementsAre(9, 10, 11));
    EXPECT_THROW(rows_.slice(1, 2).slice(1, 2), std::out_of_range) << "row 3 is not its own";
}

TEST_F(Slices, may_be_the_first_rows_the_last_all_and_none) {
    EXPECT_THAT(rows_.slice(0, 1).row(0), ElementsAre(0, 1, 2));
    EXPECT_THAT(rows_.slice(3, 1).row(0), ElementsAre(9, 10, 11));
    EXPECT_EQ(rows_.slice(0, 4).rows(), 4);
    EXPECT_EQ(rows_.slice(0, 0).rows(), 0);
    EXPECT_EQ(rows_.slice(4, 0).rows(), 0) << "an empty slice may lie at the end";
    EXPECT_THROW(rows_.slice(2, 0).row(0), std::out_of_range);
}

TEST_F(Slices, beyond_the_parent_are_refused_with_rows_asked_and_rows_there) {
    constexpr auto huge = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(scratch::message_of([&] { rows_.slice(3, 2); }),
              "row_slice: 2 rows from row 3 asked, 4 rows there");
    EXPECT_EQ(scratch::message_of([&] { rows_.slice(-1, 1); }),
              "row_slice: 1 rows from row -1 asked, 4 rows there");
    EXPECT_EQ(scratch::message_of([&] { rows_.slice(1, -1); }),
              "row_slice: -1 rows from row 1 asked, 4 rows there");
    EXPECT_THROW(rows_.slice(5, 0), std::out_of_range);
    EXPECT_THROW(rows_.slice(1, huge), std::out_of_range) << "no sum overflows";
    EXPECT_THROW(rows_.slice(huge, huge), std::out_of_range);
    EXPECT_THROW(rows_.row(4), std::out_of_range);
}

TEST_F(Slices, that_may_not_write_are_made_from_those_that_may) {
    const RowSlice<const int> reading = rows_;
    EXPECT_EQ(reading.slice(1, 1).row(0).data(), values_.data() + 3);
    static_assert(!std::is_convertible_v<RowSlice<const int>, RowSlice<int>>);
}

TEST(RowSliceOp, is_registered_and_costs_nothing) {
    namespace op = engine::ops::row_slice;
    EXPECT_EQ(engine::ops::find("row_slice"), &op::declaration);
    const auto work = op::work({.width = 192}).at(512);
    EXPECT_EQ(work.bytes_read + work.bytes_written + work.flops, 0);
    EXPECT_EQ(work.rows, 512);
}

}  // namespace

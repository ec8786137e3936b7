// SPDX-License-Identifier: Apache-2.0
// Each check passes at its limit, fails just beyond it, and says which one it is.
#include "reports/ingest/integrity.h"

#include <gmock/gmock.h>

namespace {

using namespace reports::ingest;
using testing::AllOf;
using testing::HasSubstr;
using testing::Optional;

const Where where{"decode", 2};

TEST(integrity, a_unattributed_share) {
    EXPECT_EQ(check_unattributed(100'000, 500), std::nullopt);
    EXPECT_THAT(check_unattributed(100'000, 501),
                Optional(AllOf(HasSubstr("(a)"), HasSubstr("0.50 %"))));
    EXPECT_EQ(check_unattributed(0, 0), std::nullopt);
}

TEST(integrity, b_outside_share) {
    EXPECT_EQ(check_outside(where, 100'000, 500), std::nullopt);
    EXPECT_THAT(check_outside(where, 100'000, 501),
                Optional(AllOf(HasSubstr("(b)"), HasSubstr("decode rep 2"))));
}

TEST(integrity, c_records_are_equal_or_not) {
    EXPECT_EQ(check_records(where, 7, 7), std::nullopt);
    EXPECT_THAT(check_records(where, 7, 6), Optional(AllOf(HasSubstr("(c)"), HasSubstr("lost"))));
    EXPECT_THAT(check_records(where, 7, 8), Optional(HasSubstr("not counted")));
}

TEST(integrity, d_gap_residual) {
    EXPECT_EQ(check_gap(where, 100'000, 5000, 4000), std::nullopt);
    EXPECT_THAT(check_gap(where, 100'000, 5000, 3999), Optional(HasSubstr("(d)")));
    EXPECT_THAT(check_gap(where, 100'000, 3999, 5000), Optional(HasSubstr("(d)")));
}

TEST(integrity, e_timer_disagreement) {
    EXPECT_EQ(check_timer(where, 10'000'000, 10'120'000), std::nullopt);  // 1 % + 20 us
    EXPECT_THAT(check_timer(where, 10'000'000, 10'120'001), Optional(HasSubstr("(e)")));
    EXPECT_THAT(check_timer(where, 10'000'000, 9'879'999), Optional(HasSubstr("(e)")));
}

}  // namespace

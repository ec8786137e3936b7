// SPDX-License-Identifier: Apache-2.0
// Widening of small floats, value by value.
#include "engine/format/dtype.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace engine::format;

TEST(Dtype, names_and_sizes_go_together) {
    EXPECT_EQ(parse_dtype("BF16"), Dtype::bf16);
    EXPECT_EQ(name(Dtype::f8_e4m3), "F8_E4M3");
    EXPECT_EQ(bytes(Dtype::bf16), 2);
    EXPECT_EQ(bytes(Dtype::f64), 8);
    EXPECT_EQ(parse_dtype("bf16"), std::nullopt);
}

TEST(Dtype, bf16_is_the_upper_half_of_a_float32) {
    EXPECT_EQ(widen_bf16(0x3f80), 1.0f);
    EXPECT_EQ(widen_bf16(0xc040), -3.0f);
    EXPECT_TRUE(std::isinf(widen_bf16(0x7f80)));
}

TEST(Dtype, f16_covers_subnormals_and_specials) {
    EXPECT_EQ(widen_f16(0x3c00), 1.0f);
    EXPECT_EQ(widen_f16(0xc500), -5.0f);
    EXPECT_EQ(widen_f16(0x7bff), 65504.0f);
    EXPECT_EQ(widen_f16(0x0001), std::ldexp(1.0f, -24));
    EXPECT_EQ(widen_f16(0x7c00), INFINITY);
    EXPECT_TRUE(std::isnan(widen_f16(0x7e00)));
    EXPECT_TRUE(std::signbit(widen_f16(0x8000)));
}

TEST(Dtype, e4m3_has_no_infinity_and_ends_at_448) {
    EXPECT_EQ(widen_e4m3(0x38), 1.0f);
    EXPECT_EQ(widen_e4m3(0x7e), 448.0f);
    EXPECT_EQ(widen_e4m3(0x01), std::ldexp(1.0f, -9));
    EXPECT_EQ(widen_e4m3(0x87), -7 * std::ldexp(1.0f, -9));
    EXPECT_TRUE(std::isnan(widen_e4m3(0x7f)));
}

}  // namespace

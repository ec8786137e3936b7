// SPDX-License-Identifier: Apache-2.0
// From a wanted variance to exact scales, by integer square roots: no bit depends on a libm.
#pragma once

#include <cstdint>

#include "engine/synthetic/draw.h"

namespace engine::synthetic {

struct Ratio {  // of positive integers
    std::uint64_t over = 1;
    std::uint64_t under = 1;
};

Ratio operator*(const Ratio& a, const Ratio& b);  // in lowest terms

// Mean squares of what a rule draws before any scale.
constexpr Ratio e2m1_mean_square{137, 16};         // of the sixteen codes
constexpr Ratio block_scale_mean_square{2200, 1};  // of 32, 36, ... 60
Ratio e4m3_mean_square();                          // of the integers of e4m3_rule(), rounded

// Uniform integers in [-a, a] times 2^e, 128 <= a <= 255, whose variance a(a+1)/3 * 4^e is the
// wanted one within 2 %.
Rule bf16_rule(Ratio variance);
// The same variance from magnitudes of nearly one size, 7/8 to 9/8 of its root, of either sign:
// sums of a few squares then hardly differ.
Rule even_rule(Ratio variance);
Rule e4m3_rule();  // [-240, 240], without a scale

// The float32 code of the square root, rounded towards zero.
std::uint32_t f32_sqrt(Ratio square);

}  // namespace engine::synthetic

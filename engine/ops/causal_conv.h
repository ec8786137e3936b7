// SPDX-License-Identifier: Apache-2.0
// Depthwise causal convolution over x | B | C, with SiLU.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::causal_conv {

inline constexpr Declaration declaration{
    "causal_conv", "causal_conv_kernel",
    "y[t, c] = silu(bias[c] + sum_k w[c, k] * u[t - taps + 1 + k, c])", 1e-6};

struct Shape {
    double channels = 0;
    double taps = 4;
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.channels * s.element_bytes;
    return {.bytes_read = {.fixed = (2 * s.taps) * row, .per_row = row},  // taps, bias, window
            .bytes_written = {.fixed = (s.taps - 1) * row, .per_row = row},
            .flops = {.per_row = s.channels * (2 * s.taps + 4)}};
}

}  // namespace engine::ops::causal_conv

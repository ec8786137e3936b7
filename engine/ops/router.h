// SPDX-License-Identifier: Apache-2.0
// Scores the experts of each row and picks the best.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::router {

inline constexpr Declaration declaration{
    "router", "router_kernel",
    "s = sigmoid(h W^T); picks = top_k(s + bias); w = scale * s[picks] / (sum s[picks] + 1e-20)",
    1e-6};

struct Shape {
    double hidden = 0;
    double experts = 0;
    double top_k = 0;
    double weight_bytes = 0;   // gate and bias, as stored
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.fixed = s.weight_bytes, .per_row = s.hidden * s.element_bytes},
            .bytes_written = {.per_row = s.top_k * (4 + s.element_bytes)},
            .flops = {.per_row = s.experts * (2 * s.hidden + 4)}};
}

}  // namespace engine::ops::router

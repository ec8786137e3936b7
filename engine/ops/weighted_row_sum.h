// SPDX-License-Identifier: Apache-2.0
// Adds up the expert outputs of each token, in the order of its picks.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::weighted_row_sum {

inline constexpr Declaration declaration{
    "weighted_row_sum", "weighted_row_sum_kernel",
    "out[t, :] = sum_k w[t, k] * packed[slot_of(t, k), :], k ascending", 1e-6};

struct Shape {
    double hidden = 0;
    double top_k = 0;
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.hidden * s.element_bytes;
    return {.bytes_read = {.per_row = s.top_k * (row + s.element_bytes + 4)},
            .bytes_written = {.per_row = row},
            .flops = {.per_row = 2 * s.top_k * s.hidden}};
}

}  // namespace engine::ops::weighted_row_sum

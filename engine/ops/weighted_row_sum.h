// SPDX-License-Identifier: Apache-2.0
// Weighted sums of picked rows, in the order of the picks: the expert outputs of each token.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::weighted_row_sum {

// One sum, one order, two ways to keep it: stored, or added to what the destination holds. The sum
// is complete before it is added, so both ways see the same bits of it.
inline constexpr Declaration declaration{
    "weighted_row_sum", "weighted_row_sum_kernel",
    "dst[i, :] = or += sum_j w[i, j] * src[rows[i, j], :], j ascending", 1e-6};

struct Shape {
    double hidden = 0;
    double top_k = 0;          // terms of a sum
    double element_bytes = 4;  // of an activation
    bool accumulates = false;  // the destination is read, too
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.hidden * s.element_bytes, held = s.accumulates ? 1 : 0;
    return {.bytes_read = {.per_row = s.top_k * (row + s.element_bytes + 4) + held * row},
            .bytes_written = {.per_row = row},
            .flops = {.per_row = (2 * s.top_k + held) * s.hidden}};
}

}  // namespace engine::ops::weighted_row_sum

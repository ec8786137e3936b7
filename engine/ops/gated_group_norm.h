// SPDX-License-Identifier: Apache-2.0
// Gate by SiLU, then root-mean-square norm within each group.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::gated_group_norm {

inline constexpr Declaration declaration{
    "gated_group_norm", "gated_group_norm_kernel",
    "u = y * silu(z); out = u / sqrt(mean_group(u^2) + eps) * w", 1e-6};

struct Shape {
    double inner = 0;
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.inner * s.element_bytes;
    return {.bytes_read = {.fixed = row, .per_row = 2 * row},
            .bytes_written = {.per_row = row},
            .flops = {.per_row = 10 * s.inner}};
}

}  // namespace engine::ops::gated_group_norm

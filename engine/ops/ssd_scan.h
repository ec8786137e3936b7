// SPDX-License-Identifier: Apache-2.0
// The state-space recurrence of Mamba-2: time step, decay, state update, read-out, skip.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::ssd_scan {

inline constexpr Declaration declaration{
    "ssd_scan", "ssd_scan_kernel",
    "dt = softplus(raw + bias); S = exp(-dt exp(A_log)) S + dt x B^T; y = S C + D x, per head",
    1e-5};

struct Shape {
    double heads = 0;
    double head_dim = 0;
    double groups = 0;
    double state = 0;
    double element_bytes = 4;  // of an activation and of the state
};

constexpr WorkModel work(const Shape& s) {
    const double inner = s.heads * s.head_dim, cells = inner * s.state;
    return {.bytes_read = {.fixed = cells * s.element_bytes,
                           .per_row = (inner + 2 * s.groups * s.state + s.heads) * s.element_bytes},
            .bytes_written = {.fixed = cells * s.element_bytes, .per_row = inner * s.element_bytes},
            .flops = {.per_row = 5 * cells + 3 * inner}};
}

}  // namespace engine::ops::ssd_scan

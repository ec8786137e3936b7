// SPDX-License-Identifier: Apache-2.0
// Root-mean-square norm over the hidden dimension.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::rms_norm {

inline constexpr Declaration declaration{
    "rms_norm", "rms_norm_kernel", "y[t, :] = x[t, :] / sqrt(mean(x[t, :]^2) + eps) * w", 1e-6};

struct Shape {
    double hidden = 0;
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.hidden * s.element_bytes;
    return {.bytes_read = {.fixed = row, .per_row = row},
            .bytes_written = {.per_row = row},
            .flops = {.per_row = 4 * s.hidden}};
}

}  // namespace engine::ops::rms_norm

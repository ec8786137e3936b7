// SPDX-License-Identifier: Apache-2.0
// Adds what a block made to the residual stream.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::residual_add {

inline constexpr Declaration declaration{"residual_add", "residual_add_kernel",
                                         "x[t, :] += sum of the addends", 1e-6};

struct Shape {
    double hidden = 0;
    double addends = 1;        // 2 where a shared expert joins the routed ones
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.hidden * s.element_bytes;
    return {.bytes_read = {.per_row = (1 + s.addends) * row},
            .bytes_written = {.per_row = row},
            .flops = {.per_row = s.addends * s.hidden}};
}

}  // namespace engine::ops::residual_add

// SPDX-License-Identifier: Apache-2.0
// Packs rows by the expert that they were routed to.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::expert_gather {

inline constexpr Declaration declaration{"expert_gather", "expert_gather_kernel",
                                         "packed[slot_of(t, k), :] = h[t, :]", 0.0};

struct Shape {
    double hidden = 0;
    double top_k = 0;
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    const double row = s.hidden * s.element_bytes;
    return {.bytes_read = {.per_row = row + 4 * s.top_k},
            .bytes_written = {.per_row = s.top_k * (row + 4)},
            .flops = {}};
}

}  // namespace engine::ops::expert_gather

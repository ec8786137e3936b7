// SPDX-License-Identifier: Apache-2.0
// Token ids to rows of the residual stream.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::embedding {

inline constexpr Declaration declaration{"embedding", "embedding_kernel",
                                         "x[t, :] = table[token[t], :]", 0.0};

struct Shape {
    double hidden = 0;
    double row_bytes = 0;      // of the stored table
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.per_row = s.row_bytes + 4},
            .bytes_written = {.per_row = s.hidden * s.element_bytes},
            .flops = {}};
}

}  // namespace engine::ops::embedding

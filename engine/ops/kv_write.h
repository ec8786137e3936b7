// SPDX-License-Identifier: Apache-2.0
// Appends keys and values to the cache.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::kv_write {

inline constexpr Declaration declaration{"kv_write", "kv_write_kernel",
                                         "K[pos + t] = k[t]; V[pos + t] = v[t], per KV head", 0.0};

struct Shape {
    double kv_heads = 0;
    double head_dim = 0;
    double element_bytes = 4;  // of an activation and of the cache
};

constexpr WorkModel work(const Shape& s) {
    const double row = 2 * s.kv_heads * s.head_dim * s.element_bytes;
    return {.bytes_read = {.per_row = row}, .bytes_written = {.per_row = row}, .flops = {}};
}

}  // namespace engine::ops::kv_write

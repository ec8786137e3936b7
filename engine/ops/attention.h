// SPDX-License-Identifier: Apache-2.0
// Causal grouped-query attention over the cache, without positional encoding.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::attention {

// Prefill and decode do the same sums; they differ in what is shared between rows.
inline constexpr Declaration prefill{
    "attention_prefill", "attention_prefill_kernel",
    "o[t, h] = softmax(q[t, h] K[h / group, 0..pos+t]^T / sqrt(d)) V[h / group, 0..pos+t]", 1e-5};
inline constexpr Declaration decode{
    "attention_decode", "attention_decode_kernel",
    "o[t, h] = softmax(q[t, h] K[h / group, 0..pos+t]^T / sqrt(d)) V[h / group, 0..pos+t]", 1e-5};

struct Shape {
    double heads = 0;
    double kv_heads = 0;
    double head_dim = 0;
    double shared_keys = 0;    // prefill: keys in the cache, read once for all rows; decode: 0
    double element_bytes = 4;  // of an activation and of the cache
};

// The context of an execution is the number of keys attended to, added up over its rows.
constexpr WorkModel work(const Shape& s) {
    const double row = s.heads * s.head_dim * s.element_bytes;
    const double key = 2 * s.kv_heads * s.head_dim * s.element_bytes;
    return {.bytes_read = {.fixed = s.shared_keys * key,
                           .per_row = row,
                           .per_context = s.shared_keys > 0 ? 0 : key},
            .bytes_written = {.per_row = row},
            .flops = {.per_context = s.heads * (4 * s.head_dim + 4)}};
}

}  // namespace engine::ops::attention

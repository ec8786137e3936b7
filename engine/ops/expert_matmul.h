// SPDX-License-Identifier: Apache-2.0
// Runs each picked expert on its own packed rows only.
#pragma once

#include "engine/ops/matrix.h"
#include "engine/ops/op.h"

#include <array>

namespace engine::ops::expert_matmul {

// One kernel per stored format of the weights: unpacking is part of it.
inline constexpr std::array<Declaration, 5> declarations{{
    {"expert_matmul_f32", "expert_matmul_f32_kernel", "y[r, :] = act(W[expert(r)] x[r, :])", 1e-6},
    {"expert_matmul_f16", "expert_matmul_f16_kernel", "y[r, :] = act(W[expert(r)] x[r, :])", 1e-6},
    {"expert_matmul_bf16", "expert_matmul_bf16_kernel", "y[r, :] = act(W[expert(r)] x[r, :])",
     1e-6},
    {"expert_matmul_nvfp4", "expert_matmul_nvfp4_kernel", "y[r, :] = act(W[expert(r)] x[r, :])",
     1e-6},
    {"expert_matmul_fp8", "expert_matmul_fp8_kernel", "y[r, :] = act(W[expert(r)] x[r, :])", 1e-6},
}};

constexpr const Declaration& declaration(Format weights) {
    return declarations[static_cast<std::size_t>(weights)];
}

// A row is a packed row: one token at one of its experts.
struct Shape {
    double in_features = 0;
    double out_features = 0;
    double expert_bytes = 0;   // one expert's matrix, as stored
    double experts_hit = 0;    // experts with at least one row
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.fixed = s.experts_hit * s.expert_bytes,
                           .per_row = s.in_features * s.element_bytes},
            .bytes_written = {.per_row = s.out_features * s.element_bytes},
            .flops = {.per_row = 2 * s.in_features * s.out_features}};
}

}  // namespace engine::ops::expert_matmul

// SPDX-License-Identifier: Apache-2.0
// Rows times a weight matrix, transposed: every projection and the language-model head.
#pragma once

#include "engine/ops/matrix.h"
#include "engine/ops/op.h"

#include <array>

namespace engine::ops::matmul {

// One kernel per stored format of the weights: unpacking is part of it.
inline constexpr std::array<Declaration, 5> declarations{{
    {"matmul_f32", "matmul_f32_kernel", "y[t, n] = act(sum_k x[t, k] * w[n, k])", 1e-6},
    {"matmul_f16", "matmul_f16_kernel", "y[t, n] = act(sum_k x[t, k] * w[n, k])", 1e-6},
    {"matmul_bf16", "matmul_bf16_kernel", "y[t, n] = act(sum_k x[t, k] * w[n, k])", 1e-6},
    {"matmul_nvfp4", "matmul_nvfp4_kernel",
     "y[t, n] = act(scale * sum_k x[t, k] * e2m1(code[n, k]) * e4m3(block[n, k / 16]))", 1e-6},
    {"matmul_fp8", "matmul_fp8_kernel", "y[t, n] = act(scale * sum_k x[t, k] * e4m3(byte[n, k]))",
     1e-6},
}};

constexpr const Declaration& declaration(Format weights) {
    return declarations[static_cast<std::size_t>(weights)];
}

struct Shape {
    double in_features = 0;
    double out_features = 0;
    double weight_bytes = 0;   // as stored
    double element_bytes = 4;  // of an activation
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.fixed = s.weight_bytes, .per_row = s.in_features * s.element_bytes},
            .bytes_written = {.per_row = s.out_features * s.element_bytes},
            .flops = {.per_row = 2 * s.in_features * s.out_features}};
}

}  // namespace engine::ops::matmul

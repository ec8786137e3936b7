// SPDX-License-Identifier: Apache-2.0
// A weight matrix as it is stored: plain, eight-bit floats with one scale, or four-bit codes with
// block scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace engine::ops {

enum class Format : std::uint8_t { f32, f16, bf16, nvfp4, fp8 };

std::string_view name(Format format);  // "BF16"

// [rows, cols] = [out features, in features], row-major; not necessarily aligned.
// NVFP4: byte b of a row holds column 2b in its low nibble and 2b+1 in its high one, and
// w[r, c] = e2m1(code) * e4m3(block_scales[r, c / 16]) * scale.
// FP8: w[r, c] = e4m3(byte) * scale.
struct Matrix {
    Format format;
    std::int64_t rows;
    std::int64_t cols;
    const std::byte* data;
    const std::byte* block_scales;  // [rows, cols / 16], NVFP4 only
    float scale;                    // of the tensor: weight_scale_2, weight_scale; else 1
};

double stored_bytes(const Matrix& matrix);      // codes and scales
double stored_row_bytes(const Matrix& matrix);  // of one row

}  // namespace engine::ops

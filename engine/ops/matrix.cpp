// SPDX-License-Identifier: Apache-2.0
// Names and sizes of stored matrices.
#include "engine/ops/matrix.h"

#include <array>

namespace engine::ops {

std::string_view name(Format format) {
    constexpr std::array<std::string_view, 5> names{"F32", "F16", "BF16", "NVFP4", "FP8"};
    return names[static_cast<std::size_t>(format)];
}

double stored_row_bytes(const Matrix& matrix) {
    constexpr std::array<double, 5> per_element{4.0, 2.0, 2.0, 0.5 + 1.0 / 16, 1.0};
    return static_cast<double>(matrix.cols) * per_element[static_cast<std::size_t>(matrix.format)];
}

double stored_bytes(const Matrix& matrix) {
    const bool scaled = matrix.format == Format::nvfp4 || matrix.format == Format::fp8;
    return static_cast<double>(matrix.rows) * stored_row_bytes(matrix) + (scaled ? 4.0 : 0.0);
}

}  // namespace engine::ops

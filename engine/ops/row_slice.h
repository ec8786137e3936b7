// SPDX-License-Identifier: Apache-2.0
// Some consecutive rows of a buffer, seen in place.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::row_slice {

inline constexpr Declaration declaration{"row_slice", "row_slice_view",
                                         "y = x[first : first + rows, :], the same memory", 0.0};

struct Shape {
    double width = 0;
};

// A view moves and computes nothing.
constexpr WorkModel work(const Shape&) {
    return {};
}

}  // namespace engine::ops::row_slice

// SPDX-License-Identifier: Apache-2.0
// The most likely token of a row and its margin over the next.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::greedy_pick {

inline constexpr Declaration declaration{"greedy_pick", "greedy_pick_kernel",
                                         "token = argmax(logits); equal: the lower id", 0.0};

struct Shape {
    double vocab = 0;
    double element_bytes = 4;  // of a logit
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.per_row = s.vocab * s.element_bytes},
            .bytes_written = {.per_row = 12},
            .flops = {.per_row = 2 * s.vocab}};
}

}  // namespace engine::ops::greedy_pick

// SPDX-License-Identifier: Apache-2.0
// What a row of logits says about the token that follows: the pick, its margin, the loss.
#pragma once

#include "engine/ops/op.h"

namespace engine::ops::token_score {

inline constexpr Declaration declaration{
    "token_score", "token_score_kernel",
    "pick = argmax(l); nll = log(sum exp(l - max)) + max - l[next], in float64", 0.0};

struct Shape {
    double vocab = 0;
    double element_bytes = 4;  // of a logit
};

constexpr WorkModel work(const Shape& s) {
    return {.bytes_read = {.per_row = s.vocab * s.element_bytes},
            .bytes_written = {.per_row = 20},
            .flops = {.per_row = 6 * s.vocab}};
}

}  // namespace engine::ops::token_score

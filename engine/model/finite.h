// SPDX-License-Identifier: Apache-2.0
// Numbers that are none: noticed where they come out, and traced to the weight that holds one.
#pragma once

#include <stdexcept>

#include "engine/model/model.h"
#include "engine/model/session.h"

namespace engine::model {

// A weight file holds a NaN or an infinity: not the engine's failure.
class BadWeights : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Throws BadWeights naming tensor, element and value. Reads the whole tensor.
void require_finite(const format::Tensor& tensor);

// Logits must be finite. Else every weight is looked through: BadWeights for the first that is not,
// std::runtime_error naming position and token when all are (an overflow of the arithmetic).
void require_finite(const Model& model, const LogitsBlock& block);

}  // namespace engine::model

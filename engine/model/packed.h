// SPDX-License-Identifier: Apache-2.0
// Small weights, widened once per session: norms, biases, convolution taps, decay rates.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/maths_faults.h"
#include "engine/model/model.h"

namespace engine::model {

template <class T>
struct PackedLayer {
    std::vector<T> norm;         // [hidden]
    std::vector<T> conv_weight;  // [taps, channels]
    std::vector<T> conv_bias;    // [channels]
    std::vector<T> dt_bias;      // [heads]
    std::vector<T> decay;        // [heads]: -exp(A_log)
    std::vector<T> skip;         // [heads]: D
    std::vector<T> gate_norm;    // [inner]
    std::vector<T> router_bias;  // [experts]
};

template <class T>
struct Packed {
    std::vector<T> final_norm;  // [hidden]
    std::vector<PackedLayer<T>> layers;

    std::uint64_t bytes() const;
};

// Faults that are a matter of weights (no_router_bias, no_skip) are planted here.
template <class T>
Packed<T> pack(const Model& model, const MathsFaults& faults);

// What pack() will take, by arithmetic alone.
std::uint64_t packed_elements(const Geometry& geometry);

}  // namespace engine::model

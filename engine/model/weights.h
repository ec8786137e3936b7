// SPDX-License-Identifier: Apache-2.0
// Where a model's weights lie in its mapped files, by layer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/format/safetensors.h"
#include "engine/model/geometry.h"
#include "engine/ops/matrix.h"

namespace engine::model {

// Small tensors (norms, biases, convolution) are BF16, F16 or F32; nullptr: the model has none.
struct MambaWeights {
    ops::Matrix in_proj{};                        // [projection, hidden]: z | x | B | C | dt
    ops::Matrix out_proj{};                       // [hidden, inner]
    const format::Tensor* conv_weight = nullptr;  // [conv_channels, 1, taps]
    const format::Tensor* conv_bias = nullptr;    // [conv_channels]
    const format::Tensor* a_log = nullptr;        // [heads]
    const format::Tensor* d = nullptr;            // [heads]
    const format::Tensor* dt_bias = nullptr;      // [heads]
    const format::Tensor* norm = nullptr;         // [inner]
};

struct AttentionWeights {
    ops::Matrix q{}, k{}, v{};  // [heads or kv_heads * head_dim, hidden]
    ops::Matrix o{};            // [hidden, heads * head_dim]
};

struct MlpWeights {
    ops::Matrix up{};    // [width, hidden]
    ops::Matrix down{};  // [hidden, width]
};

struct MoeWeights {
    ops::Matrix gate{};                    // [experts, hidden]
    const format::Tensor* bias = nullptr;  // [experts]
    ops::Matrix latent_in{};               // [latent, hidden]; unused without latent experts
    ops::Matrix latent_out{};              // [hidden, latent]
    std::vector<MlpWeights> experts;       // of latent, or hidden, columns
    MlpWeights shared;                     // unused when the layer has no shared expert
};

struct LayerWeights {                      // one of the four is set, by the layer's kind
    const format::Tensor* norm = nullptr;  // [hidden]
    MambaWeights mamba;
    AttentionWeights attention;
    MoeWeights moe;
    MlpWeights mlp;
};

struct Weights {
    ops::Matrix embedding{};                     // [vocab, hidden]
    ops::Matrix lm_head{};                       // [vocab, hidden]; the embedding where tied
    const format::Tensor* final_norm = nullptr;  // [hidden]
    std::vector<LayerWeights> layers;

    std::vector<const format::Tensor*> tensors;  // all that are used, in the order of the layers

    std::int64_t parameters = 0;                  // logical elements: scales are no parameters
    std::map<std::string, std::int64_t> formats;  // weight tensors by format: "BF16" -> 37
};

// Finds every tensor that the geometry asks for and accounts for every tensor in the files.
// Throws std::runtime_error naming file, tensor, what was found and what is accepted.
Weights bind_weights(const Geometry& geometry, const format::Safetensors& files);

}  // namespace engine::model

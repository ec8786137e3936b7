// SPDX-License-Identifier: Apache-2.0
// How large the weights of each part are, so that a forward behaves.
//
// With inputs of mean square 1 (every part works behind a norm), a matrix of variance g^2 / fan_in
// gives outputs of mean square g^2. The layers together add the variance `added` to a residual that
// starts with 1, each layer its share, so that its RMS is near sqrt(1 + added) at any depth.
// Outputs of relu^2 and of gated SiLU have a mean; the matrices that read them are paired (see
// Rule), or the mean would add up to a direction that all tokens share, and the router would send
// all of them to the same experts.
#pragma once

#include "engine/model/geometry.h"
#include "engine/synthetic/scale.h"

namespace engine::synthetic {

struct Gains {
    Ratio layer;  // g^2 of what a layer adds

    explicit Gains(const model::Geometry& geometry);

    // Variances of the matrices' elements.
    Ratio unit(std::int64_t fan_in) const;  // output as large as the input
    Ratio mamba_out(std::int64_t inner) const;
    Ratio attention_score(std::int64_t hidden) const;  // of q and k each
    Ratio attention_out(std::int64_t width) const;
    Ratio mlp_down(std::int64_t width) const;
    Ratio shared_down(const model::MoeGeometry& moe) const;
    Ratio expert_down(const model::MoeGeometry& moe) const;
    Ratio lm_head(std::int64_t hidden) const;
};

// Half the range of the router's selection bias, in units of 2^router_bias_exponent.
constexpr int router_bias_exponent = -12;
std::int32_t router_bias(const model::MoeGeometry& moe);

}  // namespace engine::synthetic

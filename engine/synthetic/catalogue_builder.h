// SPDX-License-Identifier: Apache-2.0
// Adds tensors to a catalogue: a linear layer becomes the tensors that its storage needs.
#pragma once

#include "engine/synthetic/catalogue.h"
#include "engine/synthetic/gains.h"
#include "engine/synthetic/scale.h"

namespace engine::synthetic {

enum class Part : std::uint8_t {
    embedding,
    mamba,
    mamba_before_attention,
    attention,
    expert,
    shared,
    mlp,
    latent,
    lm_head
};

Storage storage_of(Recipe recipe, Part part);

// Small tensors, in the ranges that trained ones have.
namespace ranges {

inline constexpr Rule norm{.low = 96, .count = 65, .exponent = -7};  // 0.75 to 1.25
// About -1/2, where SiLU of a normal input of variance 1 has the mean 0: means of x, B and C would
// fill the states with what all tokens have in common.
inline constexpr Rule conv_bias{.low = -72, .count = 17, .exponent = -7};
inline constexpr Rule skip{.low = 64, .count = 129, .exponent = -7};  // D: 0.5 to 1.5
inline constexpr Rule a_log{.low = 0, .count = 178, .exponent = -6};  // of 1 to 16
// softplus of it alone is 0.001 to 0.1: memories of one token to a thousand.
inline constexpr Rule dt_bias{.low = -221, .count = 150, .exponent = -5};

}  // namespace ranges

struct Values {  // of a linear layer's weights
    Ratio variance;
    bool paired = false;
};

class CatalogueBuilder {
  public:
    CatalogueBuilder(const model::Geometry& geometry, Recipe recipe)
        : geometry_(geometry), recipe_(recipe), gains_(geometry) {}

    const model::Geometry& geometry() const { return geometry_; }

    const Gains& gains() const { return gains_; }

    // The linear layer `name` of [rows, cols].
    void linear(const std::string& name,
                Part part,
                std::int64_t rows,
                std::int64_t cols,
                const Values& values);
    void router(const std::string& name, std::int64_t rows, std::int64_t cols, Ratio variance);
    void small(const std::string& name, std::vector<std::int64_t> shape, const Rule& rule);
    void float32(const std::string& name, std::int64_t count, Rule rule);
    void cache_scales(const std::string& mixer);  // where the recipe has a quantised KV cache

    Catalogue take() { return std::move(result_); }

  private:
    void add(std::string name, format::Dtype dtype, std::vector<std::int64_t> shape, Rule rule);
    void constant(std::string name, std::vector<std::int64_t> shape, std::uint32_t code);
    void fp8(const std::string& name, std::int64_t rows, std::int64_t cols, const Values& values);
    void nvfp4(const std::string& name, std::int64_t rows, std::int64_t cols, const Values& values);

    const model::Geometry& geometry_;
    Recipe recipe_;
    Gains gains_;
    Catalogue result_;
};

}  // namespace engine::synthetic

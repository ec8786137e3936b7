// SPDX-License-Identifier: Apache-2.0
// The tensors of a checkpoint: names, types and shapes as released checkpoints have them, and the
// rule that makes their bytes. Nothing is made here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/format/dtype.h"
#include "engine/model/geometry.h"
#include "engine/synthetic/draw.h"
#include "engine/synthetic/spec.h"

namespace engine::synthetic {

struct Entry {
    std::string name;
    format::Dtype dtype = format::Dtype::bf16;
    std::vector<std::int64_t> shape;
    Rule rule;

    std::uint64_t bytes() const;
};

// How a linear layer is stored; what hf_quant_config.json says of it.
enum class Storage : std::uint8_t { plain, fp8, nvfp4, nvfp4_weights_only };

struct Linear {
    std::string name;  // without ".weight"
    Storage storage = Storage::plain;
};

struct Catalogue {
    std::vector<Entry> entries;   // in the order of the layers
    std::vector<Linear> linears;  // in the same order
    bool fp8_cache = false;       // scales of a quantised KV cache are among the entries

    std::uint64_t bytes() const;
};

// Tensors of a multi-token-prediction head are left out: the engine does not run it.
// Throws std::runtime_error for sizes that a recipe cannot store.
Catalogue catalogue(const model::Geometry& geometry, Recipe recipe);

}  // namespace engine::synthetic

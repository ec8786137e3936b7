// SPDX-License-Identifier: Apache-2.0
// How a checkpoint's tensors spread over files, and the text that describes each file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/synthetic/catalogue.h"

namespace engine::synthetic {

struct Shard {
    std::string file;
    std::vector<const Entry*> entries;  // in the order of their bytes

    std::uint64_t bytes() const;
};

// In the order of the catalogue; a shard is full before it exceeds `limit`, and holds at least one
// tensor. A single one is model.safetensors and needs no index.
std::vector<Shard> shards(const Catalogue& catalogue, std::uint64_t limit);

// Size, then JSON, padded so that the data start at a multiple of eight bytes.
std::string header(const Shard& shard);
std::string index(const std::vector<Shard>& shards);  // model.safetensors.index.json

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// A model of one dense layer that a test writes, to break it in one place.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/engine/scratch_files.h"

namespace tiny_model {

struct Stored {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::size_t bytes;
};

inline std::map<std::string, Stored> tensors(const std::string& prefix = "backbone.") {
    const std::string mixer = prefix + "layers.0.mixer.";
    return {{prefix + "embeddings.weight", {"F32", {8, 16}, 512}},
            {prefix + "layers.0.norm.weight", {"BF16", {16}, 32}},
            {mixer + "up_proj.weight", {"U8", {6, 8}, 48}},
            {mixer + "up_proj.weight_scale", {"F8_E4M3", {6, 1}, 6}},
            {mixer + "up_proj.weight_scale_2", {"F32", {}, 4}},
            {mixer + "down_proj.weight", {"F16", {16, 6}, 192}},
            {prefix + "norm_f.weight", {"F32", {16}, 64}},
            {"lm_head.weight", {"BF16", {8, 16}, 256}}};
}

inline nlohmann::json config() {
    return nlohmann::json::parse(R"({"model_type":"nemotron_h","vocab_size":8,"hidden_size":16,
        "hybrid_override_pattern":"-","intermediate_size":6,"eos_token_id":2})");
}

inline void write(const scratch::Directory& directory,
                  const std::map<std::string, Stored>& tensors,
                  const nlohmann::json& config) {
    nlohmann::json header;
    std::size_t end = 0;
    for (const auto& [name, tensor] : tensors) {
        header[name] = {{"dtype", tensor.dtype},
                        {"shape", tensor.shape},
                        {"data_offsets", {end, end + tensor.bytes}}};
        end += tensor.bytes;
    }
    directory.write("model.safetensors", scratch::safetensors(header.dump(), end));
    directory.write("config.json", config.dump());
}

}  // namespace tiny_model

// SPDX-License-Identifier: Apache-2.0
// generation_config.json and hf_quant_config.json.
#include "engine/synthetic/checkpoint_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace engine::synthetic {

namespace {

using Json = nlohmann::ordered_json;

constexpr int block_columns = 16;

const char* algorithm(Storage storage) {
    return storage == Storage::fp8 ? "FP8" : storage == Storage::nvfp4 ? "NVFP4" : "W4A16_NVFP4";
}

Json layer_of(Storage storage) {
    Json layer{{"quant_algo", algorithm(storage)}};
    if (storage != Storage::fp8) layer["group_size"] = block_columns;
    return layer;
}

// "MIXED_PRECISION" where layers differ; then each is listed.
Json of_linears(const std::vector<Linear>& quantised) {
    const auto other = std::find_if(quantised.begin(), quantised.end(), [&](const Linear& linear) {
        return linear.storage != quantised.front().storage;
    });
    if (other == quantised.end()) return layer_of(quantised.front().storage);
    Json layers = Json::object();
    for (const Linear& linear : quantised) layers[linear.name] = layer_of(linear.storage);
    return {{"quant_algo", "MIXED_PRECISION"}, {"quantized_layers", layers}};
}

}  // namespace

std::string generation_config(const Spec& spec) {
    const Json config = Json::parse(spec.config);
    Json result = Json::object();
    for (const auto* key : {"bos_token_id", "eos_token_id", "pad_token_id"}) {
        if (config.contains(key)) result[key] = config[key];
    }
    if (spec.built_in) result["eos_token_id"] = {2, 11};
    return result.dump(2) + "\n";
}

std::string quantisation(const Catalogue& catalogue) {
    std::vector<Linear> quantised;
    Json excluded = Json::array();
    for (const Linear& linear : catalogue.linears) {
        if (linear.storage == Storage::plain) {
            excluded.push_back(linear.name);
        } else {
            quantised.push_back(linear);
        }
    }
    if (quantised.empty()) return "";
    Json quantization = of_linears(quantised);
    quantization["kv_cache_quant_algo"] = catalogue.fp8_cache ? Json("FP8") : Json(nullptr);
    quantization["exclude_modules"] = excluded;
    return Json{{"producer", {{"name", "tare"}, {"version", "generator 1"}}},
                {"quantization", quantization}}
               .dump(2) +
           "\n";
}

}  // namespace engine::synthetic

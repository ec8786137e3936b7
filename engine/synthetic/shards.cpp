// SPDX-License-Identifier: Apache-2.0
// Headers and the index of sharded safetensors.
#include "engine/synthetic/shards.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace engine::synthetic {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::uint64_t Shard::bytes() const {
    std::uint64_t sum = 0;
    for (const Entry* entry : entries) sum += entry->bytes();
    return sum;
}

std::vector<Shard> shards(const Catalogue& catalogue, std::uint64_t limit) {
    std::vector<Shard> result(1);
    std::uint64_t filled = 0;
    for (const Entry& entry : catalogue.entries) {
        if (filled > 0 && filled + entry.bytes() > limit) {
            result.emplace_back();
            filled = 0;
        }
        filled += entry.bytes();
        result.back().entries.push_back(&entry);
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].file = result.size() == 1 ? "model.safetensors"
                                            : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1,
                                                          result.size());
    }
    return result;
}

std::string header(const Shard& shard) {
    Json json{{"__metadata__", {{"format", "pt"}}}};
    std::uint64_t at = 0;
    for (const Entry* entry : shard.entries) {
        json[entry->name] = {{"dtype", format::name(entry->dtype)},
                             {"shape", entry->shape},
                             {"data_offsets", {at, at + entry->bytes()}}};
        at += entry->bytes();
    }
    std::string text = json.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string size(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        size[i] = static_cast<char>((std::uint64_t{text.size()} >> (8 * i)) & 255);
    }
    return size + text;
}

std::string index(const std::vector<Shard>& shards) {
    Json map = Json::object();
    std::uint64_t total = 0;
    for (const Shard& shard : shards) {
        total += shard.bytes();
        for (const Entry* entry : shard.entries) map[entry->name] = shard.file;
    }
    return Json{{"metadata", {{"total_size", total}}}, {"weight_map", map}}.dump(2) + "\n";
}

}  // namespace engine::synthetic

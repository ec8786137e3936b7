// SPDX-License-Identifier: Apache-2.0
// Opens one safetensors file or a sharded directory and accounts for every tensor.
#include "engine/format/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/format/json_strict.h"
#include "engine/format/safetensors_header.h"
#include "engine/format/text_file.h"

namespace engine::format {

namespace {

using nlohmann::json;
using std::filesystem::path;

// tensor name -> shard file name
std::map<std::string, std::string> read_index(const path& file) {
    const std::string text = read_text(file);
    std::map<std::string, std::string> shards;
    try {
        const json root = parse_strictly(text, file.string());
        for (const auto& [name, shard] : root.at("weight_map").items()) {
            shards[name] = shard.get<std::string>();
        }
    } catch (const std::exception& error) {
        throw std::runtime_error(
            fmt::format("{}: not an index with a \"weight_map\" of names to files: {}",
                        file.string(), error.what()));
    }
    if (shards.empty()) throw std::runtime_error(file.string() + ": weight_map is empty");
    return shards;
}

// Also true for what cannot be looked at: opening it says why.
bool present(const path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) || error;
}

// The shard that holds a tensor must be the one the index names, both ways.
void require_agreement(const path& index,
                       const std::map<std::string, std::string>& shards,
                       const std::map<std::string, std::string>& seen) {
    for (const auto& [name, shard] : shards) {
        const auto found = seen.find(name);
        if (found == seen.end() || found->second != shard) {
            throw std::runtime_error(fmt::format("{}: tensor \"{}\" should be in {}, but is in {}",
                                                 index.string(), name, shard,
                                                 found == seen.end() ? "no shard" : found->second));
        }
    }
    for (const auto& [name, shard] : seen) {
        if (!shards.contains(name)) {
            throw std::runtime_error(fmt::format("{}: tensor \"{}\" of {} is not in the index",
                                                 index.string(), name, shard));
        }
    }
}

}  // namespace

std::int64_t Tensor::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

std::string shape_text(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

void Safetensors::add(const path& file) {
    files_.emplace_back(file);
    for (Tensor& tensor : parse_header(file, files_.back().bytes())) {
        const std::string name = tensor.name;
        if (!tensors_.emplace(name, std::move(tensor)).second) {
            throw std::runtime_error(fmt::format(
                "{}: tensor \"{}\" was already in an earlier shard", file.string(), name));
        }
    }
}

Safetensors Safetensors::open_file(const path& file) {
    Safetensors result;
    result.origin_ = file.string();
    result.add(file);
    return result;
}

Safetensors Safetensors::in_memory(std::string origin,
                                   std::vector<Tensor> tensors,
                                   std::shared_ptr<const void> owner) {
    Safetensors result;
    result.origin_ = std::move(origin);
    result.owner_ = std::move(owner);
    for (Tensor& tensor : tensors) {
        const std::string name = tensor.name;
        if (!result.tensors_.emplace(name, std::move(tensor)).second) {
            throw std::runtime_error(
                fmt::format("{}: tensor \"{}\" appears twice", result.origin_, name));
        }
    }
    return result;
}

Safetensors Safetensors::open_directory(const path& directory) {
    const path index = directory / "model.safetensors.index.json";
    const path single = directory / "model.safetensors";
    if (!present(index) && !present(single)) {
        throw std::runtime_error(
            fmt::format("{}: no weights: neither model.safetensors nor "
                        "model.safetensors.index.json with its shards is there",
                        directory.string()));
    }
    if (!present(index)) {
        Safetensors result = open_file(single);
        result.origin_ = directory.string();
        return result;
    }
    const std::map<std::string, std::string> shards = read_index(index);
    std::map<std::string, std::string> seen;
    std::vector<std::string> files;
    for (const auto& [name, shard] : shards) files.push_back(shard);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    Safetensors result;
    result.origin_ = directory.string();
    for (const std::string& shard : files) {
        if (shard != path(shard).filename()) {
            throw std::runtime_error(
                fmt::format("{}: shard \"{}\" is not a plain file name", index.string(), shard));
        }
        if (!present(directory / shard)) {
            throw std::runtime_error(
                fmt::format("{}: names the shard \"{}\", which is not there; complete the download",
                            index.string(), shard));
        }
        result.add(directory / shard);
        for (const auto& [name, tensor] : result.tensors_) seen.emplace(name, shard);
    }
    require_agreement(index, shards, seen);
    return result;
}

const Tensor* Safetensors::find(std::string_view name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
}

const Tensor& Safetensors::at(std::string_view name) const {
    if (const Tensor* tensor = find(name)) return *tensor;
    throw std::runtime_error(fmt::format("{}: no tensor \"{}\"", origin_, name));
}

std::uint64_t Safetensors::stored_bytes() const {
    std::uint64_t sum = 0;
    for (const MappedFile& file : files_) sum += file.bytes().size();
    if (!files_.empty()) return sum;
    for (const auto& [name, tensor] : tensors_) sum += tensor.bytes.size();
    return sum;
}

}  // namespace engine::format

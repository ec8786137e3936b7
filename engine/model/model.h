// SPDX-License-Identifier: Apache-2.0
// A model: its geometry and its weights, mapped read-only and shared by every session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/geometry.h"
#include "engine/model/weights.h"

namespace engine::model {

class Model {
  public:
    // A directory with config.json, weights, and optionally generation_config.json.
    // Throws std::runtime_error naming file, tensor or key, value seen and limit.
    static Model open(const std::filesystem::path& directory);

    // One that lies in no directory. `sha256` is what sha256() answers.
    struct Parts {
        std::string name;
        std::string sha256;
        Geometry geometry;
        format::Safetensors tensors;
        std::vector<std::int32_t> stop_ids;
    };

    explicit Model(Parts parts);

    const std::string& name() const { return name_; }  // of the directory

    // Where it was opened. The address is one of its own for as long as anyone keeps it, so it
    // tells this Model from every other one, also from one opened from the same place.
    const std::shared_ptr<const std::string>& identity() const { return identity_; }

    const Geometry& geometry() const { return geometry_; }

    const Weights& weights() const { return weights_; }

    // Of config.json and every weight file: reads them all. Without files: the one given.
    std::string sha256() const;

    std::uint64_t weights_bytes() const;  // of the mapped files, or of tensors in memory

    // Ids that end a text: eos_token_id of generation_config.json, else of config.json.
    const std::vector<std::int32_t>& stop_ids() const { return stop_ids_; }

  private:
    explicit Model(const std::filesystem::path& directory);

    std::filesystem::path directory_;
    std::string name_;
    std::shared_ptr<const std::string> identity_;
    std::string sha256_;  // of a model without files
    Geometry geometry_;
    format::Safetensors files_;
    Weights weights_;
    std::vector<std::int32_t> stop_ids_;
};

}  // namespace engine::model

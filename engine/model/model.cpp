// SPDX-License-Identifier: Apache-2.0
// Opens a model directory.
#include "engine/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/format/sha256.h"
#include "engine/model/config_reader.h"

namespace engine::model {

namespace {

using std::filesystem::path;

path require_directory(const path& directory) {
    if (std::filesystem::is_regular_file(directory / "config.json")) return directory;
    throw std::runtime_error(fmt::format(
        "{}: no model: it has no config.json. Give a directory with config.json and safetensors",
        directory.string()));
}

std::vector<std::int32_t> read_stop_ids(const path& directory) {
    const path generation = directory / "generation_config.json";
    const bool given = std::filesystem::exists(generation);
    const ConfigReader config(given ? generation : directory / "config.json");
    std::vector<std::int32_t> ids;
    for (const std::int64_t id : config.counts("eos_token_id")) {
        ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
}

}  // namespace

Model::Model(const path& directory)
    : directory_(require_directory(directory)),
      name_(std::filesystem::weakly_canonical(directory).filename().string()),
      geometry_(read_geometry(directory / "config.json")),
      files_(format::Safetensors::open_directory(directory)),
      weights_(bind_weights(geometry_, files_)),
      stop_ids_(read_stop_ids(directory)) {}

Model Model::open(const path& directory) {
    return Model(directory);
}

std::string Model::sha256() const {
    std::vector<path> paths{directory_ / "config.json"};
    for (const format::MappedFile& file : files_.files()) paths.push_back(file.path());
    std::sort(paths.begin(), paths.end());
    std::string listing;  // as sha256sum prints it
    for (const path& file : paths) {
        listing += fmt::format("{}  {}\n", format::sha256_file(file), file.filename().string());
    }
    return format::sha256_hex(std::as_bytes(std::span(listing)));
}

std::uint64_t Model::weights_bytes() const {
    std::uint64_t sum = 0;
    for (const format::MappedFile& file : files_.files()) sum += file.bytes().size();
    return sum;
}

}  // namespace engine::model

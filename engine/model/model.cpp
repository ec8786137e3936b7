// SPDX-License-Identifier: Apache-2.0
// Opens a model directory.
#include "engine/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/format/sha256.h"
#include "engine/model/special_ids.h"

namespace engine::model {

namespace {

using std::filesystem::path;

path require_directory(const path& directory) {
    std::error_code error;  // what is there but cannot be used is refused when it is opened
    if (std::filesystem::exists(directory / "config.json", error) || error) return directory;
    throw std::runtime_error(fmt::format(
        "{}: no model: it has no config.json. Give a directory with config.json and safetensors",
        directory.string()));
}

}  // namespace

Model::Model(const path& directory)
    : directory_(require_directory(directory)),
      name_(std::filesystem::weakly_canonical(directory).filename().string()),
      identity_(std::make_shared<const std::string>(directory.string())),
      geometry_(read_geometry(directory / "config.json")),
      files_(format::Safetensors::open_directory(directory)),
      weights_(bind_weights(geometry_, files_)),
      stop_ids_(read_special_ids(directory).stops) {}

Model::Model(Parts parts)
    : name_(std::move(parts.name)),
      identity_(std::make_shared<const std::string>(name_)),
      sha256_(std::move(parts.sha256)),
      geometry_(std::move(parts.geometry)),
      files_(std::move(parts.tensors)),
      weights_(bind_weights(geometry_, files_)),
      stop_ids_(std::move(parts.stop_ids)) {}

Model Model::open(const path& directory) {
    return Model(directory);
}

std::string Model::sha256() const {
    if (files_.files().empty()) return sha256_;
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
    return files_.stored_bytes();
}

}  // namespace engine::model

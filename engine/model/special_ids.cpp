// SPDX-License-Identifier: Apache-2.0
// Reads the ids that begin and end a text.
#include "engine/model/special_ids.h"

#include "engine/model/config_reader.h"

namespace engine::model {
namespace {

void read(const ConfigReader& config, SpecialIds& ids) {
    if (!ids.bos && config.has("bos_token_id")) {
        const auto found = read_ids(config, "bos_token_id");
        if (found.size() != 1) config.fail("bos_token_id", "one token id, or null");
        ids.bos = found[0];
    }
    if (ids.stops.empty()) ids.stops = read_ids(config, "eos_token_id");
}

}  // namespace

SpecialIds read_special_ids(const std::filesystem::path& directory) {
    SpecialIds ids;
    for (const auto* name : {"generation_config.json", "config.json"}) {
        const auto file = directory / name;
        std::error_code error;  // what is there but cannot be used is refused when it is opened
        if (std::filesystem::exists(file, error) || error) read(ConfigReader(file), ids);
    }
    return ids;
}

}  // namespace engine::model

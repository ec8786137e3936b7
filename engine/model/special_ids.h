// SPDX-License-Identifier: Apache-2.0
// The ids that begin and end a text, as a model's folder gives them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace engine::model {

struct SpecialIds {
    std::optional<std::int32_t> bos;  // bos_token_id
    std::vector<std::int32_t> stops;  // eos_token_id: one, or a list
};

// Each from generation_config.json where that has it, else from config.json. Throws
// std::runtime_error with file, key, value seen and accepted form.
SpecialIds read_special_ids(const std::filesystem::path& directory);

}  // namespace engine::model

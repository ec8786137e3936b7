// SPDX-License-Identifier: Apache-2.0
// The files of engine/synthetic/configs, shipped inside the program.
#pragma once

#include <span>
#include <string_view>

namespace engine::synthetic {

struct EmbeddedConfig {
    std::string_view name;  // of the file, without .json
    std::string_view text;
};

std::span<const EmbeddedConfig> embedded_configs();

}  // namespace engine::synthetic

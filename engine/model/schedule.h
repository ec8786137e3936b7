// SPDX-License-Identifier: Apache-2.0
// Which kind of block each layer is, in the forms that config.json has for it.
#pragma once

#include <vector>

#include "engine/model/config_reader.h"
#include "engine/model/geometry.h"

namespace engine::model {

// Its length is the model's depth, whatever num_hidden_layers says. layers_block_type wins over
// hybrid_override_pattern; with neither, block_configs name the blocks. Throws std::runtime_error.
std::vector<Block> read_schedule(const ConfigReader& config,
                                 const std::vector<ConfigReader>& block_configs);

}  // namespace engine::model

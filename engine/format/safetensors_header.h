// SPDX-License-Identifier: Apache-2.0
// Parses and checks the header of one safetensors file.
#pragma once

#include <vector>

#include "engine/format/mapped_file.h"
#include "engine/format/safetensors.h"

namespace engine::format {

// In the order of their data. Throws std::runtime_error with file, tensor, value seen and limit.
std::vector<Tensor> parse_header(const MappedFile& file);

}  // namespace engine::format

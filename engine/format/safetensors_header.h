// SPDX-License-Identifier: Apache-2.0
// Parses and checks the header of one safetensors file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "engine/format/safetensors.h"

namespace engine::format {

// Of a file's bytes, in the order of their data, which the tensors point into; `file` is for
// messages alone. Throws std::runtime_error with file, tensor, value seen and limit.
std::vector<Tensor> parse_header(const std::filesystem::path& file,
                                 std::span<const std::byte> bytes);

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// How much was asked for, and what for.
#include "engine/model/not_enough_memory.h"

#include <fmt/format.h>

namespace engine::model {

NotEnoughMemory::NotEnoughMemory(std::uint64_t bytes, std::string_view use)
    : text_(std::make_shared<const std::string>(
          fmt::format("not enough memory: {} bytes for {} were refused", bytes, use))) {}

}  // namespace engine::model

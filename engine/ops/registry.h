// SPDX-License-Identifier: Apache-2.0
// Every op the engine has.
#pragma once

#include <span>

#include "engine/ops/op.h"

namespace engine::ops {

std::span<const Declaration* const> registry();

// nullptr: no op of that name.
const Declaration* find(std::string_view name);

}  // namespace engine::ops

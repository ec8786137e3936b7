// SPDX-License-Identifier: Apache-2.0
// JSON that others wrote: read strictly, and shown in messages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace engine::format {

// Throws std::runtime_error beginning with `name` (of the file): text that is not JSON or not
// UTF-8 (with the place), a key given twice in one object, and nesting deeper than 64 levels.
// Values that deep would break whatever copies or prints them by recursion.
nlohmann::json parse_strictly(std::string_view text, const std::string& name);

// At most some 60 ASCII characters.
std::string shown(const nlohmann::json& value);

}  // namespace engine::format

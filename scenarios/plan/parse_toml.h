// SPDX-License-Identifier: Apache-2.0
// Text as TOML, bounded in size, its errors with their place.
#pragma once

#include <string>

#include <toml++/toml.h>

namespace scenarios::plan {

constexpr std::size_t most_toml_bytes = 256 << 10;

// From memory alone; `file` is for messages. Throws ScenarioError and nothing else.
toml::table parse_toml(const std::string& text, const std::string& file);

}  // namespace scenarios::plan

// SPDX-License-Identifier: Apache-2.0
// JSON objects as lines of output.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace engine::commands {

// Names of files need not be UTF-8, JSON must: what is none becomes U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Infinity and NaN, which Python writes into JSON and JSON does not have.
#pragma once

#include <string>
#include <string_view>

namespace engine::format {

// The text with Infinity, -Infinity and NaN outside of strings made strings.
std::string quote_number_words(std::string_view text);

}  // namespace engine::format

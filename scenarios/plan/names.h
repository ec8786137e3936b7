// SPDX-License-Identifier: Apache-2.0
// Names of scenarios and arms, and foreign text on its way into a message.
#pragma once

#include <string>
#include <string_view>

namespace scenarios::plan {

constexpr std::size_t longest_name = 64;
constexpr const char* name_form =
    "at most 64 small letters, digits, '.', '_' and '-', the first a letter or digit";

constexpr const char* metric_name_form =
    "at most 64 letters, digits, '.', '_', '-' and '/', the first a letter or digit";

bool is_metric_name(std::string_view text);

// Safe as a file name, a column and a word of the command line.
bool is_name(std::string_view text);

bool has_control_characters(std::string_view text);

// In quotes, control characters as \xNN, cut to fit into a message.
std::string in_quotes(std::string_view text);

}  // namespace scenarios::plan

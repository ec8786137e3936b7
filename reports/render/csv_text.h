// SPDX-License-Identifier: Apache-2.0
// Fields and records of RFC 4180.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reports::render {

// Quoted where it has to be.
std::string csv_quoted(std::string_view text);

// A number with all its digits; empty when it is not known or not finite.
std::string csv_number(const std::optional<double>& value);

// One line of fields, quoted where they have to be, ended by CR LF.
std::string csv_record(const std::vector<std::string>& fields);

}  // namespace reports::render

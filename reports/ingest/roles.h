// SPDX-License-Identifier: Apache-2.0
// The role of a kernel whose range names none: the first matching line of a rule file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reports::ingest {

struct RoleRule {
    std::string kernel;  // pattern over the base name; '*' matches any characters
    std::string role;
};

// Throws std::invalid_argument with line and accepted form.
std::vector<RoleRule> parse_role_rules(std::string_view toml);
const std::vector<RoleRule>& shipped_role_rules();  // reports/roles.toml

// "other" when nothing matches.
std::string role_of(std::string_view kernel, const std::vector<RoleRule>& rules);

}  // namespace reports::ingest

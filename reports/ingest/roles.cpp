// SPDX-License-Identifier: Apache-2.0
// Reads role rules (TOML) and matches kernel names.
#include "reports/ingest/roles.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <stdexcept>

#include "reports/store/embedded.h"

namespace reports::ingest {
namespace {

// Greedy match that backs up to the last '*': linear for one star, no recursion.
bool matches(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, star = std::string_view::npos, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

RoleRule read_rule(const toml::node& node) {
    const toml::table* table = node.as_table();
    const auto kernel = table ? (*table)["kernel"].value<std::string>() : std::nullopt;
    const auto role = table ? (*table)["role"].value<std::string>() : std::nullopt;
    if (!kernel || !role || table->size() != 2) {
        throw std::invalid_argument(fmt::format(
            "role rules, line {}: expected {{ kernel = \"*pattern*\", role = \"name\" }}",
            node.source().begin.line));
    }
    return {*kernel, *role};
}

}  // namespace

std::vector<RoleRule> parse_role_rules(std::string_view text) {
    std::vector<RoleRule> rules;
    try {
        const toml::table file = toml::parse(text);
        const toml::array* list = file["rule"].as_array();
        if (list == nullptr) {
            throw std::invalid_argument("role rules: expected a list 'rule = [ ... ]'");
        }
        for (const toml::node& node : *list) rules.push_back(read_rule(node));
    } catch (const toml::parse_error& error) {
        throw std::invalid_argument(
            fmt::format("role rules, line {}: {}", error.source().begin.line, error.description()));
    }
    return rules;
}

const std::vector<RoleRule>& shipped_role_rules() {
    static const std::vector<RoleRule> rules = parse_role_rules(store::embedded("roles.toml"));
    return rules;
}

std::string role_of(std::string_view kernel, const std::vector<RoleRule>& rules) {
    for (const RoleRule& rule : rules) {
        if (matches(kernel, rule.kernel)) return rule.role;
    }
    return "other";
}

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/parse_toml.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/plan/place.h"

namespace scenarios::plan {

namespace {

constexpr std::size_t longest_line_bytes = 1024;

// The parser builds a table per dot of a key and takes them down one inside the other: what bounds
// a line bounds that depth.
void check_size(const std::string& text, const std::string& file) {
    if (text.size() > most_toml_bytes)
        throw ScenarioError(
            {file, 1, 1}, fmt::format("the file has {} bytes; at most {} are accepted", text.size(),
                                      most_toml_bytes));
    std::size_t start = 0;
    for (int line = 1; start < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (end - start > longest_line_bytes)
            throw ScenarioError({file, line, 1},
                                fmt::format("the line has {} bytes; write at most {}, a long list "
                                            "over several lines",
                                            end - start, longest_line_bytes));
        start = end + 1;
    }
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& file) {
    check_size(text, file);
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        throw ScenarioError({file, static_cast<int>(at.line), static_cast<int>(at.column)},
                            fmt::format("not TOML: {}", error.description()));
    }
}

}  // namespace scenarios::plan

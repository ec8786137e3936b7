// SPDX-License-Identifier: Apache-2.0
// Reads condition lines. A cut last line, as a killed runner leaves it, is passed over.
#include "reports/ingest/conditions.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace reports::ingest {

Conditions read_conditions(std::string_view text) {
    Conditions out;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) continue;
        try {
            const auto json = nlohmann::json::parse(line);
            out.observed.push_back({.raw_ns = json.at("raw_ns").get<std::int64_t>(),
                                    .name = json.at("name").get<std::string>(),
                                    .value = json.at("value").get<double>(),
                                    .unit = json.at("unit").get<std::string>()});
        } catch (const nlohmann::json::exception& error) {
            if (end == std::string_view::npos) continue;
            out.problems.push_back(fmt::format("conditions line {}: {}", number, error.what()));
        }
    }
    return out;
}

}  // namespace reports::ingest

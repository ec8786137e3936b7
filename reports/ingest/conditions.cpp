// SPDX-License-Identifier: Apache-2.0
// Reads condition lines. A cut last line, as a killed runner leaves it, is passed over.
#include "reports/ingest/conditions.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/format/json_number.h"

namespace reports::ingest {
namespace {

reports::Condition read_condition(const nlohmann::json& json) {
    const auto raw_ns = engine::format::whole_number<std::int64_t>(json.at("raw_ns"));
    const auto value = engine::format::finite_number(json.at("value"));
    if (!raw_ns) throw std::invalid_argument("raw_ns is not a whole number of 64 bits");
    if (!value) throw std::invalid_argument("value is not a finite number");
    return {.raw_ns = *raw_ns,
            .name = json.at("name").get<std::string>(),
            .value = *value,
            .unit = json.at("unit").get<std::string>()};
}

}  // namespace

Conditions read_conditions(std::string_view text) {
    Conditions out;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) continue;
        try {
            out.observed.push_back(read_condition(nlohmann::json::parse(line)));
        } catch (const std::exception& error) {  // json::exception, invalid_argument
            if (end == std::string_view::npos) continue;
            out.problems.push_back(fmt::format("conditions line {}: {}", number, error.what()));
        }
    }
    return out;
}

}  // namespace reports::ingest

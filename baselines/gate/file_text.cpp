// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/file_text.h"

namespace baselines::file_text {

using nlohmann::json;
using reports::CountRow;

std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string quoted(const std::optional<std::string>& text) {
    return text ? quoted(*text) : "null";
}

std::string number(double value) {
    return fmt::format("{}", value);
}

std::optional<std::string> text_or_null(const json& value) {
    if (value.is_null()) return std::nullopt;
    return value.get<std::string>();
}

std::string count_line(const CountRow& row) {
    return fmt::format("{{\"name\": {}, \"value\": {}, \"unit\": {}}}", quoted(row.name),
                       number(row.value), quoted(row.unit));
}

CountRow count_from(const json& row) {
    return {.name = row.at("name").get<std::string>(),
            .value = row.at("value").get<double>(),
            .unit = row.at("unit").get<std::string>(),
            .exact = true};
}

}  // namespace baselines::file_text

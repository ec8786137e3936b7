// SPDX-License-Identifier: Apache-2.0
// Comma-separated fields; an unknown number is an empty field.
#include "reports/render/csv_text.h"

#include <fmt/format.h>

#include <cmath>

namespace reports::render {

std::string csv_quoted(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string csv_number(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return {};
    if (*value == std::round(*value) && std::abs(*value) < 9e15)
        return fmt::format("{:.0f}", *value);
    return fmt::format("{}", *value);
}

std::string csv_record(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& text : fields) {
        if (&text != &fields.front()) line += ',';
        line += csv_quoted(text);
    }
    return line + "\r\n";
}

}  // namespace reports::render

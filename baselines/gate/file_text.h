// SPDX-License-Identifier: Apache-2.0
// Baseline files as text: JSON with keys in a fixed order and one element a line, so that a diff
// shows which one changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "baselines/gate/baseline.h"
#include "reports/records/report.h"

namespace baselines::file_text {

std::string quoted(const std::string& text);
std::string quoted(const std::optional<std::string>& text);  // or null

// The shortest text that reads back as the same number.
std::string number(double value);

template <class Rows, class Line>
std::string lines(const Rows& rows, const std::string& indent, Line line) {
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        out += fmt::format("\n{}  {}{}", indent, line(rows[i]), i + 1 < rows.size() ? "," : "");
    return rows.empty() ? "[]" : fmt::format("[{}\n{}]", out, indent);
}

template <class Row>
std::vector<Row> rows_from(const nlohmann::json& list, Row (*from)(const nlohmann::json&)) {
    if (!list.is_array())
        throw BaselineError(fmt::format("a list of objects is wanted, not {}", list.type_name()));
    std::vector<Row> out;
    for (const nlohmann::json& row : list) out.push_back(from(row));
    return out;
}

std::optional<std::string> text_or_null(const nlohmann::json& value);

std::string count_line(const reports::CountRow& row);
reports::CountRow count_from(const nlohmann::json& row);

}  // namespace baselines::file_text

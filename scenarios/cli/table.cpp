// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/format/printable.h"

namespace scenarios::cli {

namespace {

// Cells hold text of unknown origin: scenarios, paths, what an engine said of itself.
std::vector<Row> shown(std::vector<Row> rows) {
    for (Row& row : rows)
        for (std::string& cell : row) cell = engine::format::printable(cell);
    return rows;
}

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string out = "\"";
    for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

std::string aligned(const std::vector<Row>& raw) {
    const auto rows = shown(raw);
    std::vector<std::size_t> width(rows.empty() ? 0 : rows[0].size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    std::string out;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += fmt::format("{:<{}}  ", row[i], width[i]);
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string markdown(const std::vector<Row>& raw) {
    const auto rows = shown(raw);
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::string& cell : rows[i]) out += "| " + cell + " ";
        out += "|\n";
        if (i > 0) continue;
        for (std::size_t column = 0; column < rows[0].size(); ++column) out += "|---";
        out += "|\n";
    }
    return out;
}

std::string csv(const std::vector<Row>& rows) {
    std::string out;
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            out += quoted(row[i]) + (i + 1 < row.size() ? "," : "\n");
    return out;
}

std::string mebibytes(double bytes) {
    return fmt::format("{:.1f} MiB", bytes / (1 << 20));
}

}  // namespace scenarios::cli

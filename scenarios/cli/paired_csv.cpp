// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/paired_csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/cli/context.h"
#include "scenarios/plan/read_file.h"

namespace scenarios::cli {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

struct Line {
    int number = 0;  // where it begins, from 1
    std::vector<std::string> cells;
};

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Splits text at commas and line ends outside quotes; "" inside quotes is one quote.
class Splitter {
  public:
    Splitter(const std::string& file, std::string_view text) : file_(file), text_(text) {}

    std::vector<Line> lines() {
        for (at_ = 0; at_ < text_.size(); ++at_) take(text_[at_]);
        if (quoted_)
            throw UsageError(
                fmt::format("{}:{}: a quote is opened and never closed", file_, line_.number));
        end_line();
        return std::move(lines_);
    }

  private:
    void take(char c) {
        if (c == '\n') ++number_;
        if (quoted_) {
            if (c != '"') {
                cell_ += c;
            } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                cell_ += text_[at_++];
            } else {
                quoted_ = false;
            }
        } else if (c == '"' && trimmed(cell_).empty()) {
            quoted_ = true;
        } else if (c == ',') {
            end_cell();
        } else if (c == '\n') {
            end_line();
        } else {
            cell_ += c;
        }
    }

    void end_cell() {
        line_.cells.push_back(trimmed(cell_));
        cell_.clear();
    }

    void end_line() {
        end_cell();
        const bool blank = line_.cells.size() == 1 && line_.cells[0].empty();
        if (!blank) lines_.push_back(line_);
        line_ = {number_, {}};
    }

    const std::string& file_;
    std::string_view text_;
    std::size_t at_ = 0;
    int number_ = 1;
    bool quoted_ = false;
    std::string cell_;
    Line line_{1, {}};
    std::vector<Line> lines_;
};

std::optional<double> number_in(const std::string& cell) {
    const char *begin = cell.data() + (cell[0] == '+'), *end = cell.data() + cell.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

// The names of the columns; a header is taken off `lines`.
std::vector<std::string> header_of(std::vector<Line>& lines) {
    std::vector<std::string> names = lines.front().cells;
    const bool numbers = std::all_of(names.begin(), names.end(), [](const std::string& cell) {
        return cell.empty() || number_in(cell);
    });
    if (numbers) {
        for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i + 1);
    } else {
        lines.erase(lines.begin());
    }
    return names;
}

std::size_t find_column(const std::string& file,
                        const std::vector<std::string>& names,
                        const std::string& option,
                        const std::string& wanted) {
    const auto count = std::count(names.begin(), names.end(), wanted);
    if (count == 1)
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) -
                                        names.begin());
    throw UsageError(fmt::format("{}: {} column '{}'. Name one with {}. Columns: {}", file,
                                 count == 0 ? "there is no" : "there is more than one", wanted,
                                 option, fmt::join(names, ", ")));
}

PairedColumns resolve(PairedColumns columns, const std::vector<std::string>& names) {
    const auto has = [&](const char* name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    const bool only_two =
        names.size() == 2 && columns.a.empty() && columns.b.empty() && !(has("a") && has("b"));
    if (only_two) return {names[0], names[1]};
    return {columns.a.empty() ? "a" : columns.a, columns.b.empty() ? "b" : columns.b};
}

std::optional<double> value_at(const std::string& file,
                               const Line& line,
                               std::size_t column,
                               const std::string& name) {
    if (column >= line.cells.size() || line.cells[column].empty()) return std::nullopt;
    const std::string& cell = line.cells[column];
    const auto value = number_in(cell);
    if (value && std::isfinite(*value) && *value > 0) return value;
    throw UsageError(fmt::format(
        "{}:{}: column '{}' holds '{}'; the ratio B/A needs finite numbers above 0. Leave the cell "
        "empty where a value is missing.",
        file, line.number, name, cell.substr(0, 60)));
}

std::string read_text(const std::string& file) {
    try {
        std::string text = plan::read_whole_file(file, most_bytes);
        if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);
        return text;
    } catch (const plan::UnreadableFile& error) {
        throw UsageError(fmt::format("{}: {}", file, error.what()));
    }
}

}  // namespace

PairedCsv read_paired_csv(const std::string& file, const PairedColumns& columns) {
    const std::string text = read_text(file);
    auto lines = Splitter(file, text).lines();
    if (lines.empty()) throw UsageError(file + ": there is no line with values");
    const auto names = header_of(lines);
    PairedCsv out{.columns = resolve(columns, names), .rounds = {}};
    const auto a = find_column(file, names, "--a", out.columns.a);
    const auto b = find_column(file, names, "--b", out.columns.b);
    for (const Line& line : lines)
        out.rounds.push_back({.round = line.number,
                              .a = value_at(file, line, a, out.columns.a),
                              .b = value_at(file, line, b, out.columns.b)});
    return out;
}

}  // namespace scenarios::cli

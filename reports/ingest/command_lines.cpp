// SPDX-License-Identifier: Apache-2.0
// A line is taken whole or named as a problem.
#include "reports/ingest/command_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"
#include "engine/format/printable.h"

namespace reports::ingest {
namespace {

using nlohmann::json;

constexpr std::size_t most_lines = 100'000;
constexpr std::size_t most_problems = 20;
constexpr std::size_t longest_word = 64;
// Measured by the suite itself; a program cannot know better.
constexpr const char* of_the_suite = "process_wall_ns";
constexpr const char* form =
    R"(write {"type":"metric","name":"requests_per_s","value":81.5,"unit":"1/s",)"
    R"("direction":"higher"})";

[[noreturn]] void refuse(const std::string& what) {
    throw std::invalid_argument(what);
}

const json& need(const json& line, const char* field) {
    const auto found = line.find(field);
    if (found == line.end() || found->is_null())
        refuse(fmt::format("field '{}' is missing", field));
    return *found;
}

std::string word(const json& line, const char* field, bool (*accepted)(char), const char* words) {
    const json& value = need(line, field);
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (text.empty() || text.size() > longest_word ||
        !std::all_of(text.begin(), text.end(), accepted))
        refuse(fmt::format("field '{}' is {}; accepted: {}", field, engine::format::shown(value),
                           words));
    return text;
}

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '/';
}

// Units may be written as the field writes them: "µs", "°C".
bool is_unit_letter(char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
}

Direction direction_of(const json& line) {
    const json& value = need(line, "direction");
    const auto direction =
        value.is_string() ? direction_from(value.get<std::string>()) : std::nullopt;
    if (!direction)
        refuse(fmt::format("field 'direction' is {}; accepted: lower, higher, exact, none",
                           engine::format::shown(value)));
    return *direction;
}

MetricLine metric_of(const json& line) {
    const json& type = need(line, "type");
    if (type != "metric")
        refuse(fmt::format("field 'type' is {}; accepted: metric", engine::format::shown(type)));
    MetricLine out;
    out.name =
        word(line, "name", is_name_letter, "at most 64 letters, digits, '.', '_', '-' and '/'");
    if (out.name == of_the_suite)
        refuse(
            fmt::format("the metric {} is measured by tare itself; take another name", out.name));
    out.unit = word(line, "unit", is_unit_letter,
                    "at most 64 bytes without white space, \"1\" for a bare number");
    out.direction = direction_of(line);
    const auto value = engine::format::finite_number(need(line, "value"));
    if (!value)
        refuse(fmt::format("field 'value' is {}; accepted: a finite number",
                           engine::format::shown(need(line, "value"))));
    out.value = *value;
    return out;
}

// What a name means is said once and kept.
void check_same(const MetricLine& metric, const MetricLine& before) {
    if (metric.unit != before.unit || metric.direction != before.direction)
        refuse(fmt::format(
            "the metric {} is {} ({}) here and was {} ({}) before; one name has one "
            "unit and one direction",
            metric.name, metric.unit, name(metric.direction), before.unit, name(before.direction)));
    if (metric.direction == Direction::exact && metric.value != before.value)
        refuse(fmt::format("the exact metric {} is {} here and was {} before", metric.name,
                           metric.value, before.value));
}

json parsed(std::string_view text) {
    try {
        return engine::format::parse_strictly(text, "read as JSON");
    } catch (const std::runtime_error& error) {
        refuse(error.what());
    }
}

void take_line(std::string_view text,
               std::map<std::string, MetricLine>& first,
               std::vector<MetricLine>& out) {
    const json line = parsed(text);
    if (!line.is_object()) refuse("not a JSON object");
    MetricLine metric = metric_of(line);
    const auto [before, is_new] = first.try_emplace(metric.name, metric);
    if (!is_new) check_same(metric, before->second);
    if (is_new || metric.direction != Direction::exact) out.push_back(std::move(metric));
}

std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 80;
    return engine::format::printable(std::string(text.substr(0, longest))) +
           (text.size() > longest ? fmt::format("... ({} bytes)", text.size()) : "");
}

}  // namespace

CommandLines read_command_lines(std::string_view text) {
    CommandLines out;
    std::map<std::string, MetricLine> first;
    std::size_t number = 0, left_out = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (++number > most_lines) {
            out.problems.push_back(fmt::format(
                "$TARE_RESULT_FILE has more than {} lines; write fewer, or sums of them",
                most_lines));
            return out;
        }
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        try {
            take_line(line, first, out.metrics);
        } catch (const std::invalid_argument& error) {
            if (out.problems.size() == most_problems && ++left_out > 0) continue;
            out.problems.push_back(fmt::format("$TARE_RESULT_FILE line {}: {}: '{}'; {}", number,
                                               error.what(), shortened(line), form));
        }
    }
    if (left_out > 0) out.problems.push_back(fmt::format("{} more lines like these", left_out));
    return out;
}

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/toml_table.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "scenarios/plan/names.h"
#include "scenarios/plan/nearest.h"

namespace scenarios::plan {

namespace {

Place place_at(const std::string& file, const toml::source_region& region) {
    return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// The value as TOML writes it, cut to fit into a message.
std::string written(const toml::node& node) {
    std::ostringstream out;
    node.visit([&](const auto& value) { out << value; });
    std::string text = out.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    constexpr std::size_t longest = 60;
    return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// 'word', or "wo\x07rd" when it cannot be printed as it stands.
std::string shown(const std::string& word) {
    return is_name(word) ? "'" + word + "'" : in_quotes(word);
}

// One line of text, as every text of a scenario is.
bool is_plain(const std::string& text) {
    return !text.empty() && !has_control_characters(text);
}

}  // namespace

TomlTable::TomlTable(const toml::table& table, std::string file, std::string path)
    : table_(&table), file_(std::move(file)), path_(std::move(path)) {}

const toml::node* TomlTable::find(const std::string& key) {
    known_.push_back(key);
    return table_->get(key);
}

void TomlTable::refuse(const std::string& key,
                       const toml::node& node,
                       const std::string& form) const {
    throw ScenarioError(
        place_at(file_, node.source()),
        fmt::format("{} = {} is not accepted here; write {}", key, written(node), form));
}

std::optional<Located<std::string>> TomlTable::text(const std::string& key,
                                                    const std::string& form) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* value = node->as_string();
    if (value == nullptr || !is_plain(value->get())) refuse(key, *node, form);
    return Located<std::string>{value->get(), place_at(file_, node->source())};
}

std::optional<Located<std::vector<std::string>>> TomlTable::texts(const std::string& key,
                                                                  const std::string& form) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* array = node->as_array();
    if (array == nullptr) refuse(key, *node, form);
    Located<std::vector<std::string>> out{{}, place_at(file_, node->source())};
    for (const toml::node& element : *array) {
        const auto* value = element.as_string();
        if (value == nullptr || has_control_characters(value->get())) refuse(key, element, form);
        out.value.push_back(value->get());
    }
    return out;
}

std::optional<Located<std::vector<std::string>>> TomlTable::texts_or_text(const std::string& key,
                                                                          const std::string& form) {
    const toml::node* node = table_->get(key);
    if (node == nullptr || !node->is_string()) return texts(key, form);
    const auto one = text(key, form);
    return Located<std::vector<std::string>>{{one->value}, one->place};
}

std::optional<Located<std::int64_t>> TomlTable::integer(const std::string& key,
                                                        std::int64_t least,
                                                        std::int64_t most) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* value = node->as_integer();
    if (value == nullptr || value->get() < least || value->get() > most)
        refuse(key, *node,
               fmt::format("a whole number from {} to {}, e.g. {} = {}", least, most, key,
                           std::max<std::int64_t>(least, 1)));
    return Located<std::int64_t>{value->get(), place_at(file_, node->source())};
}

std::optional<Located<double>> TomlTable::positive_number(const std::string& key, double most) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value <= 0 || *value > most)
        refuse(key, *node, fmt::format("a number above 0 and at most {}, e.g. {} = 10", most, key));
    return Located<double>{*value, place_at(file_, node->source())};
}

std::optional<TomlTable> TomlTable::table(const std::string& key, const std::string& form) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* table = node->as_table();
    if (table == nullptr) refuse(key, *node, form);
    return TomlTable(*table, file_, path_.empty() ? key : path_ + "." + key);
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::string> out;
    for (const auto& [key, node] : *table_) out.emplace_back(key.str());
    return out;
}

Place TomlTable::place() const {
    const Place place = place_at(file_, table_->source());
    return place.line > 0 ? place : Place{file_, 1, 1};
}

Place TomlTable::place_of(const std::string& key) const {
    const auto found = table_->find(key);
    return found == table_->end() ? place() : place_at(file_, found->first.source());
}

void TomlTable::refuse_unknown() const {
    for (const auto& [key, node] : *table_) {
        const std::string word(key.str());
        if (std::find(known_.begin(), known_.end(), word) != known_.end()) continue;
        const Place place = place_at(file_, key.source());
        const std::string scope = path_.empty() ? "" : fmt::format(" in [{}]", path_);
        throw ScenarioError(
            place, fmt::format("unknown key {} = {}{}.{} Accepted: {}", shown(word), written(node),
                               scope, nearest_hint(word, known_), fmt::join(known_, ", ")));
    }
}

}  // namespace scenarios::plan

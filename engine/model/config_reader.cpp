// SPDX-License-Identifier: Apache-2.0
// Typed look-ups in a JSON object.
#include "engine/model/config_reader.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/format/json_strict.h"
#include "engine/format/number_words.h"
#include "engine/format/text_file.h"
#include "engine/format/utf8.h"

namespace engine::model {

using nlohmann::json;

struct ConfigReader::State {
    std::string where;  // file, and the place inside it for nested objects
    json root;

    const json* find(std::string_view key) const {
        const auto found = root.find(key);
        return found == root.end() || found->is_null() ? nullptr : &*found;
    }
};

namespace {

constexpr std::uint64_t max_config_bytes = 64 << 20;

// -1: not a whole number from 0 to `most`.
std::int64_t as_count(const json& value, std::int64_t most) {
    if (!value.is_number_unsigned()) return -1;
    const auto count = value.get<std::uint64_t>();
    return count <= static_cast<std::uint64_t>(most) ? static_cast<std::int64_t>(count) : -1;
}

std::optional<double> as_number(const json& value) {
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    const double infinity = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "Infinity" || text == "+inf") return infinity;
    if (text == "-inf" || text == "-Infinity") return -infinity;
    return std::nullopt;
}

}  // namespace

ConfigReader::ConfigReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

ConfigReader::ConfigReader(const std::filesystem::path& file)
    : ConfigReader(file.string(), format::read_text(file, max_config_bytes)) {}

ConfigReader::ConfigReader(std::string where, std::string_view text)
    : state_(std::make_unique<State>()) {
    state_->where = std::move(where);
    state_->root = format::parse_strictly(format::quote_number_words(text), state_->where);
    if (!state_->root.is_object()) {
        throw std::runtime_error(fmt::format("{}: is {}; accepted: a JSON object", state_->where,
                                             format::shown(state_->root)));
    }
}

ConfigReader::~ConfigReader() = default;
ConfigReader::ConfigReader(ConfigReader&&) noexcept = default;

void ConfigReader::fail(std::string_view key, std::string_view accepted) const {
    const auto found = state_->root.find(key);
    const std::string seen = found == state_->root.end() ? "missing" : format::shown(*found);
    throw std::runtime_error(
        fmt::format("{}: \"{}\" is {}; accepted: {}", state_->where, key, seen, accepted));
}

void ConfigReader::fail_at(std::string_view key,
                           std::size_t index,
                           std::string_view accepted) const {
    const auto& value = state_->root.at(std::string(key));
    const auto seen =
        value.is_string()
            ? json(format::utf8::character_at(value.get_ref<const std::string&>(), index))
            : value.at(index);
    throw std::runtime_error(fmt::format("{}: \"{}\"[{}] is {}; accepted: {}", state_->where, key,
                                         index, format::shown(seen), accepted));
}

bool ConfigReader::has(std::string_view key) const {
    return state_->find(key) != nullptr;
}

std::int64_t ConfigReader::count(std::string_view key) const {
    const json* value = state_->find(key);
    const std::int64_t result = value ? as_count(*value, max_count) : -1;
    if (result < 1) fail(key, fmt::format("a whole number from 1 to {}", max_count));
    return result;
}

std::int64_t ConfigReader::count(std::string_view key,
                                 std::int64_t fallback,
                                 std::int64_t most) const {
    const json* value = state_->find(key);
    if (!value) return fallback;
    const std::int64_t result = as_count(*value, most);
    if (result < 0) fail(key, fmt::format("a whole number from 0 to {}", most));
    return result;
}

double ConfigReader::number(std::string_view key, double fallback) const {
    const json* value = state_->find(key);
    if (!value) return fallback;
    const std::optional<double> result = as_number(*value);
    if (!result) fail(key, "a number");
    return *result;
}

bool ConfigReader::flag(std::string_view key, bool fallback) const {
    const json* value = state_->find(key);
    if (!value) return fallback;
    if (!value->is_boolean()) fail(key, "true or false");
    return value->get<bool>();
}

std::optional<std::string> ConfigReader::text(std::string_view key) const {
    const json* value = state_->find(key);
    if (!value) return std::nullopt;
    if (!value->is_string()) fail(key, "a string");
    return value->get<std::string>();
}

std::vector<std::string> ConfigReader::words(std::string_view key) const {
    const json* value = state_->find(key);
    std::vector<std::string> result;
    if (!value) return result;
    if (!value->is_array()) fail(key, "a list of strings");
    for (const json& word : *value) {
        if (!word.is_string()) fail_at(key, result.size(), "a string");
        result.push_back(word.get<std::string>());
    }
    return result;
}

std::vector<double> ConfigReader::numbers(std::string_view key) const {
    const json* value = state_->find(key);
    std::vector<double> result;
    if (!value) return result;
    if (!value->is_array()) fail(key, "a list of numbers");
    for (const json& entry : *value) {
        const std::optional<double> number = as_number(entry);
        if (!number) fail_at(key, result.size(), "a number");
        result.push_back(*number);
    }
    return result;
}

std::vector<std::int64_t> ConfigReader::counts(std::string_view key) const {
    const json* value = state_->find(key);
    std::vector<std::int64_t> result;
    if (!value) return result;
    const json list = value->is_array() ? *value : json::array({*value});
    for (const json& entry : list) {
        result.push_back(as_count(entry, max_count));
        if (result.back() >= 0) continue;
        const auto accepted = fmt::format("a whole number from 0 to {}", max_count);
        if (value->is_array()) fail_at(key, result.size() - 1, accepted);
        fail(key, accepted + ", or a list of such");
    }
    return result;
}

std::vector<ConfigReader> ConfigReader::objects(std::string_view key) const {
    const json* value = state_->find(key);
    std::vector<ConfigReader> result;
    if (!value) return result;
    if (!value->is_array()) fail(key, "a list of objects");
    for (const json& entry : *value) {
        if (!entry.is_object()) fail_at(key, result.size(), "an object");
        auto state = std::make_unique<State>();
        state->where = fmt::format("{}: {}[{}]", state_->where, key, result.size());
        state->root = entry;
        result.push_back(ConfigReader(std::move(state)));
    }
    return result;
}

std::vector<std::int32_t> read_ids(const ConfigReader& config, std::string_view key) {
    std::vector<std::int32_t> ids;
    for (const std::int64_t id : config.counts(key)) {
        if (!std::in_range<std::int32_t>(id)) {
            config.fail(key, "a token id, 0 to 2147483647, or a list of such");
        }
        ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
}

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// Typed look-ups in a JSON object.
#include "engine/model/config_reader.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

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

ConfigReader::ConfigReader(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
    state_->where = file.string();
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(fmt::format("{}: cannot be opened", state_->where));
    try {
        state_->root = json::parse(stream);
    } catch (const json::exception& error) {
        throw std::runtime_error(fmt::format("{}: not JSON: {}", state_->where, error.what()));
    }
    if (!state_->root.is_object()) {
        throw std::runtime_error(fmt::format("{}: not a JSON object", state_->where));
    }
}

ConfigReader::~ConfigReader() = default;
ConfigReader::ConfigReader(ConfigReader&&) noexcept = default;

void ConfigReader::fail(std::string_view key, std::string_view accepted) const {
    const auto found = state_->root.find(key);
    const std::string seen = found == state_->root.end() ? "missing" : found->dump();
    throw std::runtime_error(
        fmt::format("{}: \"{}\" is {}; accepted: {}", state_->where, key, seen, accepted));
}

bool ConfigReader::has(std::string_view key) const {
    return state_->find(key) != nullptr;
}

std::int64_t ConfigReader::count(std::string_view key) const {
    const json* value = state_->find(key);
    if (!value || !value->is_number_integer() || value->get<std::int64_t>() < 1) {
        fail(key, "a whole number, at least 1");
    }
    return value->get<std::int64_t>();
}

std::int64_t ConfigReader::count(std::string_view key, std::int64_t fallback) const {
    const json* value = state_->find(key);
    if (!value) return fallback;
    if (!value->is_number_integer() || value->get<std::int64_t>() < 0) {
        fail(key, "a whole number, at least 0");
    }
    return value->get<std::int64_t>();
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
        if (!word.is_string()) fail(key, "a list of strings");
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
        if (!number) fail(key, "a list of numbers");
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
        if (!entry.is_number_integer() || entry.get<std::int64_t>() < 0) {
            fail(key, "a whole number, at least 0, or a list of such");
        }
        result.push_back(entry.get<std::int64_t>());
    }
    return result;
}

std::vector<ConfigReader> ConfigReader::objects(std::string_view key) const {
    const json* value = state_->find(key);
    std::vector<ConfigReader> result;
    if (!value) return result;
    if (!value->is_array()) fail(key, "a list of objects");
    for (const json& entry : *value) {
        if (!entry.is_object()) fail(key, "a list of objects");
        auto state = std::make_unique<State>();
        state->where = fmt::format("{}: {}[{}]", state_->where, key, result.size());
        state->root = entry;
        result.push_back(ConfigReader(std::move(state)));
    }
    return result;
}

}  // namespace engine::model

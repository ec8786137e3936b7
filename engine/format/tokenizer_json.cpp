// SPDX-License-Identifier: Apache-2.0
// Look-ups in JSON.
#include "engine/format/tokenizer_json.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"

namespace engine::format {

std::string JsonPlace::where() const {
    return place_.empty() ? std::string(file_) : fmt::format("{}: {}", file_, place_);
}

void JsonPlace::fail(std::string_view accepted) const {
    throw std::runtime_error(
        fmt::format("{} is {}; accepted: {}", where(), shown(*value_), accepted));
}

JsonPlace JsonPlace::member(std::string_view key) const {
    return {*value_->find(key), file_,
            place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key)};
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
    const auto found = object().value_->find(key);
    if (found == value_->end() || found->is_null()) return std::nullopt;
    return member(key);
}

JsonPlace JsonPlace::at(std::string_view key) const {
    if (auto found = find(key)) return *found;
    throw std::runtime_error(fmt::format("{}: \"{}\" is missing", where(), key));
}

JsonPlace JsonPlace::element(std::size_t index) const {
    return {(*value_)[index], file_, fmt::format("{}[{}]", place_, index)};
}

const JsonPlace& JsonPlace::object() const {
    if (!value_->is_object()) fail("an object");
    return *this;
}

const JsonPlace& JsonPlace::list() const {
    if (!value_->is_array()) fail("a list");
    return *this;
}

const std::string& JsonPlace::text() const {
    if (!value_->is_string()) fail("a string");
    return value_->get_ref<const std::string&>();
}

bool JsonPlace::flag() const {
    if (!value_->is_boolean()) fail("true or false");
    return value_->get<bool>();
}

bool JsonPlace::flag(std::string_view key, bool fallback) const {
    const auto found = find(key);
    return found ? found->flag() : fallback;
}

std::int32_t JsonPlace::id() const {
    const auto id = whole_number<std::int32_t>(*value_);
    if (!id || *id < 0) {
        fail(fmt::format("a token id, 0 to {}", std::numeric_limits<std::int32_t>::max()));
    }
    return *id;
}

}  // namespace engine::format

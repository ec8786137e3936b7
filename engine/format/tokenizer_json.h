// SPDX-License-Identifier: Apache-2.0
// A value of a JSON file and its place in it, for messages that name both.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace engine::format {

// Every getter throws std::runtime_error with file, place, value seen and accepted form.
class JsonPlace {
  public:
    // `value` and `file` (its name) must outlive the place.
    JsonPlace(const nlohmann::json& value, std::string_view file, std::string place)
        : value_(&value), file_(file), place_(std::move(place)) {}

    [[noreturn]] void fail(std::string_view accepted) const;

    const nlohmann::json& value() const { return *value_; }

    std::string where() const;  // file and place

    std::optional<JsonPlace> find(std::string_view key) const;  // absent and null: nothing
    JsonPlace at(std::string_view key) const;                   // must be there
    JsonPlace member(std::string_view key) const;               // is there, may be null
    JsonPlace element(std::size_t index) const;

    const JsonPlace& object() const;  // itself, being one
    const JsonPlace& list() const;
    const std::string& text() const;
    bool flag() const;
    bool flag(std::string_view key, bool fallback) const;  // of a member
    std::int32_t id() const;                               // 0 to the largest int32

  private:
    const nlohmann::json* value_;
    std::string_view file_;
    std::string place_;
};

}  // namespace engine::format

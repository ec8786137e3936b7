// SPDX-License-Identifier: Apache-2.0
// Typed look-ups in a JSON object, with errors that name file, key, value and accepted form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::model {

// A key that is absent or null counts as missing. Every getter throws std::runtime_error for a
// value of another type; those without a fallback also for a missing one.
class ConfigReader {
  public:
    explicit ConfigReader(const std::filesystem::path& file);
    ~ConfigReader();
    ConfigReader(ConfigReader&&) noexcept;

    bool has(std::string_view key) const;
    std::int64_t count(std::string_view key) const;                         // at least 1
    std::int64_t count(std::string_view key, std::int64_t fallback) const;  // at least 0
    double number(std::string_view key, double fallback) const;  // "inf" strings are accepted
    bool flag(std::string_view key, bool fallback) const;
    std::optional<std::string> text(std::string_view key) const;
    std::vector<std::string> words(std::string_view key) const;     // a list of strings
    std::vector<double> numbers(std::string_view key) const;        // a list of numbers
    std::vector<std::int64_t> counts(std::string_view key) const;   // one count, or a list
    std::vector<ConfigReader> objects(std::string_view key) const;  // a list of objects

    [[noreturn]] void fail(std::string_view key, std::string_view accepted) const;

  private:
    struct State;
    explicit ConfigReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace engine::model

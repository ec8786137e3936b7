// SPDX-License-Identifier: Apache-2.0
// Typed look-ups in a JSON object, with errors that name file, key, value and accepted form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::model {

// Sizes beyond this fit no machine, and products of two or three of them would overflow.
constexpr std::int64_t max_count = 1 << 24;

// A key that is absent or null counts as missing. Every getter throws std::runtime_error for a
// value of another type; those without a fallback also for a missing one.
class ConfigReader {
  public:
    explicit ConfigReader(const std::filesystem::path& file);
    ConfigReader(std::string where, std::string_view text);  // `where` stands for the file
    ~ConfigReader();
    ConfigReader(ConfigReader&&) noexcept;

    bool has(std::string_view key) const;
    std::int64_t count(std::string_view key) const;  // 1 to max_count
    // 0 to `most`
    std::int64_t count(std::string_view key,
                       std::int64_t fallback,
                       std::int64_t most = max_count) const;
    double number(std::string_view key, double fallback) const;  // Infinity is accepted
    bool flag(std::string_view key, bool fallback) const;
    std::optional<std::string> text(std::string_view key) const;
    std::vector<std::string> words(std::string_view key) const;     // a list of strings
    std::vector<double> numbers(std::string_view key) const;        // a list of numbers
    std::vector<std::int64_t> counts(std::string_view key) const;   // one count, or a list
    std::vector<ConfigReader> objects(std::string_view key) const;  // a list of objects

    [[noreturn]] void fail(std::string_view key, std::string_view accepted) const;

    // The same of an element of the list, or of a character of the string, at `key`.
    [[noreturn]] void fail_at(std::string_view key,
                              std::size_t index,
                              std::string_view accepted) const;

  private:
    struct State;
    explicit ConfigReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// One token id, or a list of them; none where the key is missing.
std::vector<std::int32_t> read_ids(const ConfigReader& config, std::string_view key);

}  // namespace engine::model

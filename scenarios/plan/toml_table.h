// SPDX-License-Identifier: Apache-2.0
// One table of a TOML file, read key by key with the place of every value. Whatever is not asked
// for is an unknown key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/plan/place.h"

namespace toml {
inline namespace v3 {
class node;
class table;
}  // namespace v3
}  // namespace toml

namespace scenarios::plan {

class TomlTable {
  public:
    // `path` is the table's dotted name, "" for the file's own. `table` must outlive this object.
    TomlTable(const toml::table& table, std::string file, std::string path);

    // Each returns nullopt when the key is absent and throws ScenarioError when the value is of
    // another type or out of range. `form` is the accepted form, as an example: `model = "..."`.
    std::optional<Located<std::string>> text(const std::string& key, const std::string& form);
    std::optional<Located<std::vector<std::string>>> texts(const std::string& key,
                                                           const std::string& form);
    std::optional<Located<std::vector<std::string>>> texts_or_text(const std::string& key,
                                                                   const std::string& form);
    std::optional<Located<std::int64_t>> integer(const std::string& key,
                                                 std::int64_t least,
                                                 std::int64_t most);
    std::optional<Located<double>> positive_number(const std::string& key, double most);
    std::optional<TomlTable> table(const std::string& key, const std::string& form);

    std::vector<std::string> keys() const;
    Place place() const;                           // of the table
    Place place_of(const std::string& key) const;  // of the key itself

    void refuse_unknown() const;

  private:
    const toml::node* find(const std::string& key);
    [[noreturn]] void refuse(const std::string& key,
                             const toml::node& node,
                             const std::string& form) const;

    const toml::table* table_;
    std::string file_, path_;
    std::vector<std::string> known_;
};

}  // namespace scenarios::plan

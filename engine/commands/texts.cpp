// SPDX-License-Identifier: Apache-2.0
// Reading of named texts.
#include "engine/commands/texts.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/commands/input_file.h"
#include "engine/commands/usage_error.h"
#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"

namespace engine::commands {
namespace {

using nlohmann::json;

constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(std::string_view where, std::string_view what) {
    throw UsageError(fmt::format(
        R"({}: {}; accepted: a JSON list of objects {{"name":"text","tokens":[1,2,3]}})", where,
        what));
}

std::int32_t id_of(const json& value, std::size_t position, const std::string& origin) {
    const auto id = format::token_id(value);
    if (!id) {
        refuse(origin, fmt::format("token {} is {}, it must be an integer from 0 to {}", position,
                                   format::shown(value), max_id));
    }
    return *id;
}

Tokens tokens_of(const json& list, const std::string& origin) {
    Tokens tokens{{}, origin};
    tokens.ids.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        tokens.ids.push_back(id_of(list[i], i, origin));
    }
    return tokens;
}

Text text_of(const json& element, const std::string& origin) {
    if (!element.is_object()) {
        refuse(origin, fmt::format("is {}, it must be an object", format::shown(element)));
    }
    for (const auto& [key, value] : element.items()) {
        if (key != "name" && key != "tokens") {
            refuse(origin, fmt::format("unknown key '{}'", key));
        }
    }
    const auto name = element.value("name", json(""));
    if (!name.is_string()) {
        refuse(origin, fmt::format("name is {}, it must be a string", format::shown(name)));
    }
    const auto tokens = element.value("tokens", json());
    if (!tokens.is_array()) {
        refuse(origin, fmt::format("tokens is {}, it must be a list", format::shown(tokens)));
    }
    const auto text = name.get<std::string>();
    return {text, tokens_of(tokens, text.empty() ? origin : fmt::format("{} '{}'", origin, text))};
}

// Losses are told apart by name.
void refuse_same_names(const std::vector<Text>& texts, const std::string& file) {
    std::map<std::string_view, std::size_t> seen;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto [place, is_new] = seen.try_emplace(texts[i].name, i);
        if (!is_new && !texts[i].name.empty()) {
            refuse(file, fmt::format("elements {} and {} have the same name, '{}'", place->second,
                                     i, texts[i].name));
        }
    }
}

// None: something else, and parse_token_json() says what is wrong with it.
std::optional<json> list_of_objects(const std::string& content) {
    try {
        auto list = format::parse_strictly(content, "");
        if (list.is_array() && !list.empty() && list[0].is_object()) return list;
    } catch (const std::runtime_error&) {
    }
    return std::nullopt;
}

}  // namespace

std::vector<Text> read_texts(const std::string& argument) {
    if (names_tensor(argument)) return {{"", read_token_file(argument)}};
    const auto content = read_input(argument);
    const auto list = list_of_objects(content);
    if (!list) return {{"", parse_token_json(content, argument)}};
    std::vector<Text> texts;
    for (std::size_t i = 0; i < list->size(); ++i) {
        texts.push_back(text_of((*list)[i], fmt::format("{}, element {}", argument, i)));
    }
    refuse_same_names(texts, argument);
    return texts;
}

Tokens joined(const std::vector<Text>& texts) {
    Tokens all{{}, texts.size() == 1 ? texts[0].tokens.origin : "all texts"};
    for (const auto& text : texts) {
        all.ids.insert(all.ids.end(), text.tokens.ids.begin(), text.tokens.ids.end());
    }
    return all;
}

}  // namespace engine::commands

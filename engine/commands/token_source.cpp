// SPDX-License-Identifier: Apache-2.0
// Reading and checking of token ids.
#include "engine/commands/token_source.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "engine/commands/input_file.h"
#include "engine/commands/usage_error.h"
#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"
#include "engine/format/safetensors.h"

namespace engine::commands {
namespace {

constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view forms =
    "accepted: --tokens 1,2,3, --tokens-file FILE.safetensors:NAME (a one-dimensional I32 or I64 "
    "tensor), --tokens-file FILE.json (a list of integers), --prompt TEXT, or --prompt-file FILE";

[[noreturn]] void refuse(std::string_view where, std::string_view what) {
    throw UsageError(fmt::format("{}: {}; {}", where, what, forms));
}

std::int32_t checked_id(std::int64_t value, std::size_t position, std::string_view where) {
    if (value < 0 || value > max_id) {
        refuse(where, fmt::format("element {} is {}, it must be 0 to {}", position, value, max_id));
    }
    return static_cast<std::int32_t>(value);
}

std::string_view without_blanks(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

template <class Stored>
void append_ids(std::span<const std::byte> bytes, Tokens& tokens) {
    for (std::size_t i = 0; i * sizeof(Stored) < bytes.size(); ++i) {
        Stored value;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        tokens.ids.push_back(checked_id(value, i, tokens.origin));
    }
}

Tokens read_tensor(const std::string& file, const std::string& name) {
    Tokens tokens{{}, fmt::format("{}, tensor '{}'", file, name)};
    const auto stored = [&] {
        try {
            return format::Safetensors::open_file(file);
        } catch (const std::runtime_error& error) {
            throw UsageError(fmt::format("--tokens-file: {}; {}", error.what(), forms));
        }
    }();
    const auto* tensor = stored.find(name);
    if (tensor == nullptr) {
        std::string names;
        for (const auto& [known, unused] : stored.tensors()) {
            names += (names.empty() ? "" : ", ") + known;
        }
        refuse(tokens.origin, fmt::format("no such tensor; the file has: {}", names));
    }
    if (tensor->shape.size() != 1) {
        refuse(tokens.origin, fmt::format("shape is {}, it must have one dimension",
                                          format::shape_text(tensor->shape)));
    }
    switch (tensor->dtype) {
        case format::Dtype::i32:
            append_ids<std::int32_t>(tensor->bytes, tokens);
            break;
        case format::Dtype::i64:
            append_ids<std::int64_t>(tensor->bytes, tokens);
            break;
        default:
            refuse(tokens.origin, fmt::format("element type is {}, it must be I32 or I64",
                                              format::name(tensor->dtype)));
    }
    return tokens;
}

// FILE of FILE:NAME; none: the argument is a file of JSON, whose own name may have a colon.
std::optional<std::string> tensor_file(const std::string& argument) {
    const auto colon = argument.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto file = argument.substr(0, colon);
    std::error_code unknown;  // what cannot be looked at is refused when it is opened
    const bool is_json =
        !file.ends_with(".safetensors") && std::filesystem::exists(argument, unknown);
    return is_json ? std::nullopt : std::optional(file);
}

}  // namespace

Tokens parse_token_json(const std::string& text, const std::string& file) {
    try {
        return parse_id_list(format::parse_strictly(text, file), file);
    } catch (const UsageError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}; {}", error.what(), forms));
    }
}

bool names_tensor(const std::string& argument) {
    return argument.ends_with(".safetensors") || tensor_file(argument).has_value();
}

Tokens parse_id_list(const nlohmann::json& list, const std::string& origin) {
    Tokens tokens{{}, origin};
    if (!list.is_array()) {
        refuse(origin, fmt::format("holds a JSON {}, it must hold a list", list.type_name()));
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto id = format::token_id(list[i]);
        if (!id) {
            refuse(origin, fmt::format("element {} is {}, it must be an integer from 0 to {}", i,
                                       format::shown(list[i]), max_id));
        }
        tokens.ids.push_back(*id);
    }
    return tokens;
}

Tokens parse_token_list(std::string_view text) {
    Tokens tokens{{}, "--tokens"};
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        const auto element = without_blanks(text.substr(begin, end - begin));
        std::int64_t value = 0;
        const auto* last = element.data() + element.size();
        const auto [stop, error] = std::from_chars(element.data(), last, value);
        if (error != std::errc{} || stop != last) {
            refuse(tokens.origin, fmt::format("element {} is '{}', it must be an integer",
                                              tokens.ids.size(), element));
        }
        tokens.ids.push_back(checked_id(value, tokens.ids.size(), tokens.origin));
        begin = end + 1;
    }
    return tokens;
}

Tokens read_token_file(const std::string& argument) {
    if (const auto file = tensor_file(argument)) {
        return read_tensor(*file, argument.substr(file->size() + 1));
    }
    if (argument.ends_with(".safetensors")) {
        refuse(argument, "the name of the tensor is missing");
    }
    return parse_token_json(read_input(argument), argument);
}

Tokens tokens_from(const std::string& list, const std::string& file) {
    if (list.empty() == file.empty()) {
        refuse("tokens", list.empty() ? "neither --tokens nor --tokens-file was given"
                                      : "both --tokens and --tokens-file were given, give one");
    }
    return list.empty() ? read_token_file(file) : parse_token_list(list);
}

void check_tokens(const Tokens& tokens,
                  std::int64_t vocab,
                  std::int64_t max_positions,
                  std::int64_t new_tokens) {
    const auto count = static_cast<std::int64_t>(tokens.ids.size());
    if (count == 0) {
        refuse(tokens.origin, "no tokens; at least 1 is needed");
    }
    for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
        if (tokens.ids[i] >= vocab) {
            throw UsageError(fmt::format(
                "{}: token {} at position {} is outside the model's vocabulary of {} (0 to {}); "
                "use ids of this model's tokenizer",
                tokens.origin, tokens.ids[i], i, vocab, vocab - 1));
        }
    }
    if (count > max_positions) {
        throw UsageError(fmt::format(
            "{}: {} tokens exceed the model's max_position_embeddings of {}; use at most {} tokens",
            tokens.origin, count, max_positions, max_positions));
    }
    if (new_tokens > max_positions - count) {
        throw UsageError(fmt::format(
            "{} prompt tokens and {} new ones exceed the model's max_position_embeddings of {}; "
            "ask for at most {} new tokens",
            count, new_tokens, max_positions, max_positions - count));
    }
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Token ids from the command line or a file, checked against a model's limits.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace engine::commands {

struct Tokens {
    std::vector<std::int32_t> ids;
    std::string origin;  // for messages: "--tokens", or the file and the tensor in it
};

// "1,2,3", blanks around a number are fine. Throws UsageError naming the bad element.
Tokens parse_token_list(std::string_view text);

// A JSON list of integers. Throws UsageError naming the bad element.
Tokens parse_id_list(const nlohmann::json& list, const std::string& origin);

// The same as text, of `file`.
Tokens parse_token_json(const std::string& text, const std::string& file);

// Whether the argument is one of read_token_file()'s first form.
bool names_tensor(const std::string& argument);

// FILE.safetensors:NAME (split at the last colon; an I32 or I64 tensor of one dimension), or a
// file that holds a JSON list of integers. Throws UsageError naming file, place and value.
Tokens read_token_file(const std::string& argument);

// Of the two options exactly one may be given; empty: not given. Throws UsageError.
Tokens tokens_from(const std::string& list, const std::string& file);

// Ids must be in [0, vocab), and prompt and new tokens must fit in `max_positions` together.
// Throws UsageError with the limits.
void check_tokens(const Tokens& tokens,
                  std::int64_t vocab,
                  std::int64_t max_positions,
                  std::int64_t new_tokens);

}  // namespace engine::commands

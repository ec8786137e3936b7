// SPDX-License-Identifier: Apache-2.0
// Token ids of a prompt: from a file, or from a seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/plan/scenario.h"

namespace scenarios::plan {

// The message names the file, the place in it and the accepted forms.
struct PromptError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A JSON list of token ids (one text without a name), or a JSON list of {"name", "tokens"} (several
// texts). From memory alone; `where` is for messages. Throws PromptError and nothing else.
std::vector<Text> parse_prompt(const std::string& json, const std::string& where);

// `spec` is FILE.json (as above) or FILE.safetensors:NAME (one-dimensional integers, split at the
// last colon), relative to `folder`. Throws PromptError.
std::vector<Text> read_prompt(const std::string& spec, const std::filesystem::path& folder);

// Throws PromptError, with the place, for an id that a vocabulary of this size does not have.
void check_vocabulary(const std::vector<Text>& texts,
                      std::int32_t vocab_size,
                      const std::string& where);

// `count` ids below `vocab_size`, by integer hashing only: the same on every machine.
std::vector<std::int32_t> seeded_tokens(std::uint64_t seed,
                                        std::int64_t count,
                                        std::int32_t vocab_size);

// vocab_size of the model folder's config.json. Throws PromptError.
std::int32_t vocab_size(const std::filesystem::path& model_folder);

// One round of splitmix64 (Steele, Lea, Flood 2014): the generator behind every seed here.
std::uint64_t splitmix64(std::uint64_t& state);

}  // namespace scenarios::plan

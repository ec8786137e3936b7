// SPDX-License-Identifier: Apache-2.0
// Token ids of a prompt: from a file, or from a seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace scenarios::plan {

// The message names the file, the place in it and the accepted forms.
struct PromptError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `spec` is FILE.json (a list of token ids) or FILE.safetensors:NAME (one-dimensional integers,
// split at the last colon), relative to `folder`. Throws PromptError.
std::vector<std::int32_t> read_tokens(const std::string& spec, const std::filesystem::path& folder);

// `count` ids below `vocab_size`, by integer hashing only: the same on every machine.
std::vector<std::int32_t> seeded_tokens(std::uint64_t seed,
                                        std::int64_t count,
                                        std::int32_t vocab_size);

// vocab_size of the model folder's config.json. Throws PromptError.
std::int32_t vocab_size(const std::filesystem::path& model_folder);

// sha256 of the ids as little-endian int32.
std::string tokens_sha256(const std::vector<std::int32_t>& tokens);

// One round of splitmix64 (Steele, Lea, Flood 2014): the generator behind every seed here.
std::uint64_t splitmix64(std::uint64_t& state);

}  // namespace scenarios::plan

// SPDX-License-Identifier: Apache-2.0
// SHA-256 of bytes and files: the identity of models, prompts, outputs and binaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace engine::format {

// Incremental. Throws std::runtime_error only when the crypto library itself fails.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void update(std::span<const std::byte> bytes);
    std::string hex();  // 64 lower-case digits; ends the digest: later updates throw

  private:
    struct State;
    std::unique_ptr<State> state_;
};

std::string sha256_hex(std::span<const std::byte> bytes);

// Of the ids as little-endian int32: the identity of a prompt and of an output.
std::string token_ids_sha256(std::span<const std::int32_t> ids);

// Throws std::runtime_error naming the file when it cannot be read or is no regular file.
std::string sha256_file(const std::filesystem::path& file);

}  // namespace engine::format

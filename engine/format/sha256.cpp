// SPDX-License-Identifier: Apache-2.0
// SHA-256 by OpenSSL's EVP interface.
#include "engine/format/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "engine/format/open_file.h"

namespace engine::format {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    bool ended = false;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    ~State() { EVP_MD_CTX_free(context); }
};

namespace {

void require(bool ok, const char* call) {
    if (!ok) throw std::runtime_error(fmt::format("sha256: {} failed in OpenSSL", call));
}

}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) {
    require(state_->context != nullptr, "EVP_MD_CTX_new");
    require(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1, "EVP_DigestInit_ex");
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
    if (state_->ended) throw std::logic_error("sha256: update after hex(): start a new digest");
    require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1, "EVP_DigestUpdate");
}

std::string Sha256::hex() {
    if (state_->ended) throw std::logic_error("sha256: hex() called twice: start a new digest");
    state_->ended = true;
    std::array<unsigned char, 32> digest{};
    require(EVP_DigestFinal_ex(state_->context, digest.data(), nullptr) == 1, "EVP_DigestFinal_ex");
    std::string text;
    for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
    return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
    Sha256 digest;
    digest.update(bytes);
    return digest.hex();
}

std::string sha256_file(const std::filesystem::path& file) {
    const OpenFile input(file);
    Sha256 digest;
    std::vector<char> buffer(1 << 20);
    while (const std::size_t n = input.read(buffer.data(), buffer.size())) {
        digest.update(std::as_bytes(std::span(buffer.data(), n)));
    }
    return digest.hex();
}

std::string token_ids_sha256(std::span<const std::int32_t> ids) {
    std::vector<std::byte> bytes;
    bytes.reserve(ids.size() * sizeof(std::int32_t));
    for (const std::int32_t id : ids) {
        for (int shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(id) >> shift));
        }
    }
    return sha256_hex(bytes);
}

}  // namespace engine::format

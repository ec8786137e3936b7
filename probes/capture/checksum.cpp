// SPDX-License-Identifier: Apache-2.0
// CRC32C by the SSE4.2 instruction, or by eight tables at a time.
#include "probes/capture/checksum.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace probes::capture {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
    constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected
    Tables tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        }
        tables[0][i] = crc;
    }
    for (std::uint32_t i = 0; i < 256; ++i) {
        for (std::size_t t = 1; t < 8; ++t) {
            const std::uint32_t before = tables[t - 1][i];
            tables[t][i] = (before >> 8) ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

constexpr Tables tables = make_tables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::uint32_t crc,
                                                             std::span<const std::byte> bytes) {
    std::uint64_t state = ~crc;
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        state = _mm_crc32_u64(state, word);
        bytes = bytes.subspan(8);
    }
    auto small = static_cast<std::uint32_t>(state);
    for (const std::byte byte : bytes) {
        small = _mm_crc32_u8(small, static_cast<std::uint8_t>(byte));
    }
    return ~small;
}
#endif

}  // namespace

std::uint32_t crc32c_portable(std::uint32_t crc, std::span<const std::byte> bytes) {
    crc = ~crc;
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        word ^= crc;
        crc = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            crc ^= tables[7 - i][(word >> (8 * i)) & 0xff];
        }
        bytes = bytes.subspan(8);
    }
    for (const std::byte byte : bytes) {
        crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
    }
    return ~crc;
}

std::uint32_t crc32c(std::uint32_t crc, std::span<const std::byte> bytes) {
#if defined(__x86_64__)
    static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
    if (has_instruction) {
        return crc32c_sse42(crc, bytes);
    }
#endif
    return crc32c_portable(crc, bytes);
}

}  // namespace probes::capture

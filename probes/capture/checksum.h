// SPDX-License-Identifier: Apache-2.0
// CRC32C (Castagnoli), the checksum of capture blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace probes::capture {

// Start with 0; feed the result back in to go on. Uses the processor's instruction where it has
// one: the probe's writer must not compete with the program it watches.
std::uint32_t crc32c(std::uint32_t crc, std::span<const std::byte> bytes);

// The same by table, on any processor.
std::uint32_t crc32c_portable(std::uint32_t crc, std::span<const std::byte> bytes);

}  // namespace probes::capture

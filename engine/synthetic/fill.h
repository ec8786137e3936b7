// SPDX-License-Identifier: Apache-2.0
// Makes the bytes of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/synthetic/catalogue.h"

namespace engine::synthetic {

// The bytes of `entry` from `offset` on, into `out`. Any slice, at any time, gives the same bytes.
void fill(const Entry& entry, std::uint64_t seed, std::uint64_t offset, std::span<std::byte> out);

// A slice that somebody wants.
struct Slice {
    const Entry* entry = nullptr;
    std::uint64_t offset = 0;
    std::span<std::byte> out;
};

// Bytes done, of how many; called by one thread, now and then.
using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

// The same for many slices, cut into pieces that `threads` threads share (0: one per core).
void fill(std::span<const Slice> slices,
          std::uint64_t seed,
          int threads,
          const Progress& progress = {});

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// Memory for weights that no file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace engine::synthetic {

// An anonymous mapping, given back with the object. Starts as zeros, which cost nothing until they
// are written.
class Mapping {
  public:
    enum class Access : std::uint8_t { read, write };

    // Throws std::runtime_error with the size when the system refuses.
    Mapping(std::uint64_t bytes, Access access);
    ~Mapping();
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    std::span<std::byte> bytes() { return bytes_; }

    void make_read_only();

  private:
    std::span<std::byte> bytes_;
};

// What this process may still take without swapping: the least of what the machine has available,
// its control group's limit, and its address space limit.
std::uint64_t available_bytes();

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// Bytes behind a path, for parsers that open files: no disk, one file for all inputs.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace tests::fuzz {

class MemoryFile {
  public:
    MemoryFile() : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
        if (descriptor_ < 0) std::abort();
    }

    ~MemoryFile() { close(descriptor_); }

    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    // Valid until the next call.
    std::filesystem::path holding(const std::uint8_t* data, std::size_t size) {
        const auto wanted = static_cast<ssize_t>(size);
        if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, data, size, 0) != wanted) {
            std::abort();
        }
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

  private:
    int descriptor_;
};

}  // namespace tests::fuzz

// SPDX-License-Identifier: Apache-2.0
// A capture file as a sequence of verified blocks, one in memory at a time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "probes/capture/format.h"

namespace probes::capture {

struct Block {
    BlockKind kind;
    std::span<const std::byte> body;  // valid until the next block
};

class BlockFile {
  public:
    // Throws CaptureError for a file that is foreign or of a newer version, CaptureUnreadable for
    // one that cannot be opened. A file cut inside its head is neither: it has no blocks.
    explicit BlockFile(const std::filesystem::path& file);

    // nullopt at the end, or at the first damage: nothing after it can be trusted. Throws
    // CaptureUnreadable when the disk fails.
    std::optional<Block> next();

    std::uint32_t version() const { return version_; }

    std::uint64_t bytes_left() const { return size_bytes_ - offset_bytes_; }

  private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void check_head(const std::filesystem::path& file);
    bool read(std::span<std::byte> into);
    [[noreturn]] void fail_by_system() const;  // errno still is that of the call that failed

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::uint64_t size_bytes_ = 0;
    std::uint64_t offset_bytes_ = 0;  // everything before it was read and is whole
    std::uint32_t version_ = 0;       // 0: cut inside the head
    std::vector<std::byte> body_;
};

}  // namespace probes::capture

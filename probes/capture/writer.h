// SPDX-License-Identifier: Apache-2.0
// Appends a capture file block by block. For one thread at a time; never throws for I/O errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probes/capture/format.h"
#include "probes/capture/records.h"

namespace probes::capture {

class Writer {
  public:
    // Makes the file, which must not exist, and writes its head, `process` and `status`.
    // nullopt: errno says why.
    static std::optional<Writer> create(const std::string& file, const ProcessInfo& process);

    Writer(Writer&& other) noexcept;
    Writer& operator=(Writer&& other) noexcept;
    ~Writer();  // flushes; a file without finish() reads as unfinished

    // Plain records. `thread` is any number that tells path tables apart: node ids and paths are
    // those of that thread's table, and a node must come before the ranges and nodes that use it.
    void add(const PathNode& node, std::uint32_t thread = 0);
    void add(const Range& range, std::uint32_t thread = 0);
    void add(const PayloadSchema& schema);

    // Whole records as they lie in a ring (format.h), in two stretches where the ring wraps. All
    // functions that return bool: false when the block was not written; the file then ends with
    // the last whole block, and error() is the errno.
    bool add_records(std::uint32_t thread,
                     std::uint32_t tid,
                     std::span<const std::byte> first,
                     std::span<const std::byte> second = {});
    bool set_status(std::string_view status, std::string_view reason);
    bool name_thread(std::uint32_t tid, std::string_view name);
    bool end_thread(std::uint32_t thread);
    bool set_loss(const Loss& so_far);
    bool finish(const Loss& loss);
    bool flush();  // writes what add() has gathered

    int error() const { return error_; }

    std::uint64_t size_bytes() const { return size_bytes_; }

    bool truncate(std::uint64_t bytes);  // cuts the tail, for planted faults and tests

  private:
    Writer(int descriptor, std::string file);
    bool write_block(BlockKind kind,
                     std::span<const std::byte> first,
                     std::span<const std::byte> second = {},
                     std::span<const std::byte> third = {});
    bool write_loss(BlockKind kind, const Loss& loss);
    bool reopen_if_closed();
    std::byte* gather(std::uint32_t thread, std::uint32_t tid, std::size_t cells);

    int descriptor_ = -1;
    std::string file_;
    std::uint64_t device_ = 0;  // identity of the file: the program may close our descriptor and
    std::uint64_t inode_ = 0;   // get its number for a file of its own
    std::uint64_t size_bytes_ = 0;
    int error_ = 0;
    std::uint32_t gathered_thread_ = 0;
    std::uint32_t gathered_tid_ = 0;
    std::vector<std::byte> gathered_;
};

}  // namespace probes::capture

// SPDX-License-Identifier: Apache-2.0
// The capture file, byte for byte: what the writer appends and the reader accepts.
//
//   FileHead                      16 bytes, the same in every version
//   BlockHead, body               any number of times; the first block is `process`
//
// All integers are little-endian. A block is appended by one write and never changed. New kinds of
// block may be added without a new version: a reader skips and counts the kinds it does not know.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace probes::capture {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr char file_magic[8] = {'T', 'A', 'R', 'E', 'C', 'A', 'P', '\n'};
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t block_marker = 0x4b4c4254;        // "TBLK"
constexpr std::uint32_t block_limit_bytes = 64u << 20;    // a longer body is damage
constexpr std::uint32_t block_target_bytes = 256u << 10;  // the writer starts a new block here
constexpr const char* file_extension = ".capture";

struct FileHead {
    char magic[8];
    std::uint32_t version;
    std::uint32_t checksum;  // CRC32C of the 12 bytes before it
};

static_assert(sizeof(FileHead) == 16);

// Numbers are never reused. 16 and up are for GPU records (kernel, api, copy, graph node, module).
enum class BlockKind : std::uint32_t {
    process = 1,      // u32 pid, i64 raw ns, i64 real ns, text host, text fault
    status = 2,       // text status, text reason; a later one replaces it
    schema = 3,       // u32 id, text name, u32 n, n x {text name, u32 type, u32 offset, u32 size}
    records = 4,      // u32 thread, u32 tid, then records of whole cells
    thread_end = 5,   // u32 thread: its path numbers are not used again
    thread_name = 6,  // u32 tid, text name
    loss = 7,         // u64 x 4: dropped, open ranges, unbalanced pops, ignored payloads; so far
    end = 8,          // body of `loss`; nothing follows
};

struct BlockHead {
    std::uint32_t marker;
    BlockKind kind;
    std::uint32_t bytes;     // of the body
    std::uint32_t checksum;  // CRC32C of the 12 bytes before it and the body
};

static_assert(sizeof(BlockHead) == 16);

// Records are multiples of one cell, so that a ring can hold them aligned to cache lines and the
// writer can append a stretch of the ring as it is.
constexpr std::size_t cell_bytes = 64;

enum class RecordKind : std::uint8_t { range = 1, node = 2 };

// The first bytes of every record.
struct RecordHead {
    RecordKind kind;
    std::uint8_t reserved;
    std::uint16_t cells;  // length of the record
};

// Flags of a RangeRecord beside RangeFlag.
constexpr std::uint32_t range_has_value = 1u << 16;  // the payload is one double, no schema

// A range with its payload right behind: 8 bytes fit one cell, 72 fit two.
struct RangeRecord {
    RecordHead head;
    std::uint32_t path;  // number of the node in the thread's own table
    std::int64_t start_ns;
    std::int64_t end_ns;
    std::uint64_t id;
    std::uint64_t parent;  // range_start_end: tid of the thread that started it
    std::uint64_t root;
    std::uint32_t flags;
    std::uint16_t schema;
    std::uint16_t payload_bytes;
};

static_assert(sizeof(RangeRecord) == 56);

// A node of the thread's path table; name, domain and category follow, without terminators.
struct NodeRecord {
    RecordHead head;
    std::uint32_t id;      // from 1, in the thread's own table
    std::uint32_t parent;  // 0: outermost; else announced before
    std::uint16_t name_bytes;
    std::uint16_t domain_bytes;
    std::uint16_t category_bytes;
    std::uint16_t reserved;
};

static_assert(sizeof(NodeRecord) == 20);

constexpr std::size_t cells_for(std::size_t bytes) {
    return (bytes + cell_bytes - 1) / cell_bytes;
}

// Longer texts are cut, so that a record's length always fits its 16 bits.
constexpr std::size_t text_limit_bytes = 1024;

}  // namespace probes::capture

// SPDX-License-Identifier: Apache-2.0
// What one traced process saw, as plain structs: the probe writes them, ingest reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace probes::capture {

// Opening facts of a capture file. One pair of stamps taken together ties the capture's clock to
// the calendar.
struct ProcessInfo {
    std::uint32_t format_version = 0;
    std::uint32_t pid = 0;
    std::string host;
    std::int64_t start_raw_ns = 0;   // CLOCK_MONOTONIC_RAW, the clock of every stamp in the file
    std::int64_t start_real_ns = 0;  // CLOCK_REALTIME at the same moment
    std::string status;              // "nvtx_only": no GPU records were collected
    std::string status_reason;       // why, in words ("no NVIDIA driver: libcuda.so.1 not found")
    std::string fault;               // TARE_PROBE_FAULT as given; empty for none
};

// One field of an extended NVTX payload schema.
enum class FieldType : std::uint8_t { i64, u64, i32, u32, f64, f32, text, other };

struct PayloadField {
    std::string name;
    FieldType type = FieldType::other;
    std::uint32_t offset = 0;  // bytes from the start of the payload
    std::uint32_t size = 0;    // bytes; for text the fixed length, zero-terminated if shorter
};

struct PayloadSchema {
    std::uint32_t id = 0;  // unique in the file, never 0
    std::string name;      // "work", "phase", ...
    std::vector<PayloadField> fields;
};

// A node of the range tree: the path of a range is its nodes' names joined by '/'. Paths are
// interned, so a range costs one integer. Merged over threads by the reader: equal (parent, name,
// domain, category) have one id. Always delivered before the first range that uses it.
struct PathNode {
    std::uint32_t id = 0;      // unique in the file, never 0
    std::uint32_t parent = 0;  // 0: outermost
    std::string name;
    std::string domain;    // "" is NVTX's default domain
    std::string category;  // NVTX category name; "" for none. The engine puts the op's role here
};

enum RangeFlag : std::uint32_t {
    range_open_at_end = 1,  // still open when the process ended: end_ns is the time of the flush
    range_start_end = 2,    // nvtxRangeStart/End: may cross threads, has no parent
    range_marker = 4,       // nvtxMark: start_ns == end_ns
};

// One finished range. Children come before their parents (a range is written when it is popped).
struct Range {
    std::uint64_t id = 0;      // unique in the file, never 0
    std::uint64_t parent = 0;  // enclosing range on the same thread; 0: outermost
    std::uint64_t root = 0;    // outermost enclosing range (its own id when it is outermost)
    std::uint32_t path = 0;    // PathNode::id
    std::uint32_t tid = 0;     // gettid()
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    std::uint32_t flags = 0;             // RangeFlag
    std::uint32_t schema = 0;            // PayloadSchema::id; 0: no extended payload
    std::span<const std::byte> payload;  // laid out as the schema says; valid until the next record
    double value = 0;                    // plain 64-bit NVTX payload as a number; NaN: none
};

// What was lost, counted by the probe itself or found by the reader. Any field above zero makes a
// profile invalid.
struct Loss {
    std::uint64_t dropped = 0;          // records that found no room
    std::uint64_t zero_stamps = 0;      // start or end is 0
    std::uint64_t negative = 0;         // end before start
    std::uint64_t open_ranges = 0;      // still open at the end
    std::uint64_t unbalanced_pops = 0;  // a pop with nothing pushed
    std::uint64_t truncated_bytes = 0;  // cut or damaged tail of the file
    bool finished = false;              // the probe wrote its closing block

    // Not a loss of records, and no breach: payloads beyond the first of a range, longer than the
    // probe copies, or of a schema nobody registered.
    std::uint64_t ignored_payloads = 0;
};

}  // namespace probes::capture

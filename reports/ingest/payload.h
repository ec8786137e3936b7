// SPDX-License-Identifier: Apache-2.0
// Fields of an extended NVTX payload, found by name once per schema and read per range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "probes/capture/records.h"

namespace reports::ingest {

// A field of one schema. Default: the schema has no such field.
class FieldReader {
  public:
    FieldReader() = default;
    FieldReader(const probes::capture::PayloadSchema& schema, std::string_view name);

    // nullopt: no such field, not a number, or the payload is too short for it.
    std::optional<double> number(std::span<const std::byte> payload) const;
    std::optional<std::int64_t> integer(std::span<const std::byte> payload) const;
    // Empty: no such field, or not text. Points into the payload.
    std::string_view text(std::span<const std::byte> payload) const;

  private:
    bool fits(std::span<const std::byte> payload) const;

    probes::capture::FieldType type_ = probes::capture::FieldType::other;
    std::uint32_t offset_ = 0, size_ = 0;  // size 0: no such field
};

// Schema "work", on the range of an op.
struct WorkFields {
    explicit WorkFields(const probes::capture::PayloadSchema& schema);
    FieldReader bytes_read, bytes_written, flops, kernel;
};

// Schema "phase", on the outermost range of a phase.
struct PhaseFields {
    explicit PhaseFields(const probes::capture::PayloadSchema& schema);
    FieldReader rep, rows, context;
};

}  // namespace reports::ingest

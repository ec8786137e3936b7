// SPDX-License-Identifier: Apache-2.0
// Everything a range's payload says, for any schema; what we know by name is also read as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probes/capture/records.h"
#include "reports/ingest/payload.h"

namespace reports::exports {

// Counted work of an op (schema "work"). Unknown is nullopt.
struct Work {
    std::optional<double> bytes_read, bytes_written, flops;
    std::optional<std::int64_t> rows, context;
    std::string_view kernel;  // points into the payload

    std::optional<double> bytes() const;  // read plus written
    std::optional<double> gb_per_s(std::int64_t duration_ns) const;
    std::optional<double> tflop_per_s(std::int64_t duration_ns) const;
};

class PayloadFields {
  public:
    enum class Kind { work, phase, other };

    explicit PayloadFields(const probes::capture::PayloadSchema& schema);

    Kind kind() const { return kind_; }

    const std::string& schema() const { return schema_; }

    Work work(std::span<const std::byte> payload) const;
    std::optional<std::int64_t> rep(std::span<const std::byte> payload) const;  // of a phase

    // Appends `"name":value,` for every field, with a comma behind each.
    void append_json(std::string& out, std::span<const std::byte> payload) const;

  private:
    struct Field {
        std::string key;  // "\"bytes_read\":"
        probes::capture::FieldType type;
        ingest::FieldReader reader;
    };

    Kind kind_ = Kind::other;
    std::string schema_;
    std::vector<Field> fields_;
    ingest::FieldReader bytes_read_, bytes_written_, flops_, rows_, context_, kernel_, rep_;
};

}  // namespace reports::exports

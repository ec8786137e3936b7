// SPDX-License-Identifier: Apache-2.0
#include "reports/export/payload_fields.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "reports/export/json_text.h"

namespace reports::exports {

using probes::capture::FieldType;

std::optional<double> Work::bytes() const {
    if (!bytes_read && !bytes_written) return std::nullopt;
    return bytes_read.value_or(0) + bytes_written.value_or(0);
}

// Bytes a nanosecond are GB a second.
std::optional<double> Work::gb_per_s(std::int64_t duration_ns) const {
    if (!bytes() || duration_ns <= 0) return std::nullopt;
    return *bytes() / static_cast<double>(duration_ns);
}

std::optional<double> Work::tflop_per_s(std::int64_t duration_ns) const {
    if (!flops || duration_ns <= 0) return std::nullopt;
    return *flops / static_cast<double>(duration_ns) / 1e3;
}

PayloadFields::PayloadFields(const probes::capture::PayloadSchema& schema)
    : kind_(schema.name == "work"    ? Kind::work
            : schema.name == "phase" ? Kind::phase
                                     : Kind::other),
      schema_(schema.name),
      bytes_read_(schema, "bytes_read"),
      bytes_written_(schema, "bytes_written"),
      flops_(schema, "flops"),
      rows_(schema, "rows"),
      context_(schema, "context"),
      kernel_(schema, "kernel"),
      rep_(schema, "rep") {
    std::set<std::string> taken;  // of two fields of one name the reader would keep one as well
    for (const auto& field : schema.fields) {
        if (!taken.insert(field.name).second) continue;
        std::string key;
        append_text(key, field.name);
        fields_.push_back({key + ':', field.type, ingest::FieldReader(schema, field.name)});
    }
}

Work PayloadFields::work(std::span<const std::byte> payload) const {
    return {.bytes_read = bytes_read_.number(payload),
            .bytes_written = bytes_written_.number(payload),
            .flops = flops_.number(payload),
            .rows = rows_.integer(payload),
            .context = context_.integer(payload),
            .kernel = kernel_.text(payload)};
}

std::optional<std::int64_t> PayloadFields::rep(std::span<const std::byte> payload) const {
    return rep_.integer(payload);
}

void PayloadFields::append_json(std::string& out, std::span<const std::byte> payload) const {
    for (const Field& field : fields_) {
        if (field.type == FieldType::text) {
            out += field.key;
            append_text(out, field.reader.text(payload));
        } else if (const auto whole = field.reader.integer(payload)) {
            out += field.key;
            if (field.type == FieldType::u64) {
                fmt::format_to(std::back_inserter(out), "{}", static_cast<std::uint64_t>(*whole));
            } else {
                fmt::format_to(std::back_inserter(out), "{}", *whole);
            }
        } else if (const auto number = field.reader.number(payload)) {
            out += field.key;
            append_number(out, *number);
        } else {
            continue;
        }
        out += ',';
    }
}

}  // namespace reports::exports

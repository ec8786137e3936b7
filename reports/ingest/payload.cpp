// SPDX-License-Identifier: Apache-2.0
// Reads payload bytes as their schema describes them.
#include "reports/ingest/payload.h"

#include <cstring>

namespace reports::ingest {

using probes::capture::FieldType;

namespace {

std::uint32_t size_of(FieldType type, std::uint32_t declared) {
    switch (type) {
        case FieldType::i64:
        case FieldType::u64:
        case FieldType::f64:
            return 8;
        case FieldType::i32:
        case FieldType::u32:
        case FieldType::f32:
            return 4;
        case FieldType::text:
            return declared;
        case FieldType::other:
            return 0;
    }
    return 0;
}

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

}  // namespace

FieldReader::FieldReader(const probes::capture::PayloadSchema& schema, std::string_view name) {
    for (const auto& field : schema.fields) {
        if (field.name != name) continue;
        type_ = field.type;
        offset_ = field.offset;
        size_ = size_of(field.type, field.size);
    }
}

bool FieldReader::fits(std::span<const std::byte> payload) const {
    return size_ > 0 && std::size_t{offset_} + size_ <= payload.size();
}

std::optional<double> FieldReader::number(std::span<const std::byte> payload) const {
    if (!fits(payload)) return std::nullopt;
    if (type_ == FieldType::f64) return load<double>(payload.data() + offset_);
    if (type_ == FieldType::f32) return load<float>(payload.data() + offset_);
    if (const auto value = integer(payload)) return static_cast<double>(*value);
    return std::nullopt;
}

std::optional<std::int64_t> FieldReader::integer(std::span<const std::byte> payload) const {
    if (!fits(payload)) return std::nullopt;
    const std::byte* from = payload.data() + offset_;
    switch (type_) {
        case FieldType::i64:
        case FieldType::u64:
            return load<std::int64_t>(from);
        case FieldType::i32:
            return load<std::int32_t>(from);
        case FieldType::u32:
            return load<std::uint32_t>(from);
        default:
            return std::nullopt;
    }
}

std::string_view FieldReader::text(std::span<const std::byte> payload) const {
    if (type_ != FieldType::text || !fits(payload)) return {};
    const auto* from = reinterpret_cast<const char*>(payload.data() + offset_);
    return {from, strnlen(from, size_)};
}

WorkFields::WorkFields(const probes::capture::PayloadSchema& schema)
    : bytes_read(schema, "bytes_read"),
      bytes_written(schema, "bytes_written"),
      flops(schema, "flops"),
      kernel(schema, "kernel") {}

PhaseFields::PhaseFields(const probes::capture::PayloadSchema& schema)
    : rep(schema, "rep"), rows(schema, "rows"), context(schema, "context") {}

}  // namespace reports::ingest

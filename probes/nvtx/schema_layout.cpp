// SPDX-License-Identifier: Apache-2.0
// Types, sizes and offsets of payload fields on this machine (64 bits, Linux).
#include "probes/nvtx/schema_layout.h"

#include <algorithm>

namespace probes::nvtx {
namespace {

using capture::FieldType;

// Of one element; alignment is the size unless said otherwise.
struct Element {
    FieldType type = FieldType::other;
    std::uint32_t size = 0;
    std::uint32_t alignment = 0;
};

Element of_size(FieldType type, std::uint32_t size) {
    return {.type = type, .size = size, .alignment = size};
}

Element element_of(std::uint64_t type) {
    switch (type) {
        case NVTX_PAYLOAD_ENTRY_TYPE_CHAR:
        case NVTX_PAYLOAD_ENTRY_TYPE_UCHAR:
        case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT8:
        case NVTX_PAYLOAD_ENTRY_TYPE_CHAR8:
        case NVTX_PAYLOAD_ENTRY_TYPE_BYTE:
            return of_size(FieldType::other, 1);
        case NVTX_PAYLOAD_ENTRY_TYPE_SHORT:
        case NVTX_PAYLOAD_ENTRY_TYPE_USHORT:
        case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT16:
        case NVTX_PAYLOAD_ENTRY_TYPE_CHAR16:
        case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16:
        case NVTX_PAYLOAD_ENTRY_TYPE_BF16:
            return of_size(FieldType::other, 2);
        case NVTX_PAYLOAD_ENTRY_TYPE_INT:
        case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
            return of_size(FieldType::i32, 4);
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT:
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT32:
        case NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY:
        case NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB:
        case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32:
        case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32:
            return of_size(FieldType::u32, 4);
        case NVTX_PAYLOAD_ENTRY_TYPE_LONG:
        case NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG:
        case NVTX_PAYLOAD_ENTRY_TYPE_INT64:
            return of_size(FieldType::i64, 8);
        case NVTX_PAYLOAD_ENTRY_TYPE_ULONG:
        case NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG:
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT64:
        case NVTX_PAYLOAD_ENTRY_TYPE_SIZE:
        case NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID:
        case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64:
        case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64:
            return of_size(FieldType::u64, 8);
        case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT:
        case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32:
            return of_size(FieldType::f32, 4);
        case NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE:
        case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64:
            return of_size(FieldType::f64, 8);
        case NVTX_PAYLOAD_ENTRY_TYPE_WCHAR:
        case NVTX_PAYLOAD_ENTRY_TYPE_CHAR32:
        case NVTX_PAYLOAD_ENTRY_TYPE_TF32:
        case NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR:
            return of_size(FieldType::other, 4);
        case NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE:
        case NVTX_PAYLOAD_ENTRY_TYPE_INT128:
        case NVTX_PAYLOAD_ENTRY_TYPE_UINT128:
        case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128:
            return of_size(FieldType::other, 16);
        case NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS:
        case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING:
        case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8:
        case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16:
        case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32:
        case NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE:
            return of_size(FieldType::other, 8);
        default:
            return {};
    }
}

bool is_text_array(std::uint64_t type) {
    return type == NVTX_PAYLOAD_ENTRY_TYPE_CHAR || type == NVTX_PAYLOAD_ENTRY_TYPE_CHAR8;
}

// A char array of fixed size, or a C string with a length, is a text held in the payload itself.
Element element_of_entry(const nvtxPayloadSchemaEntry_t& entry,
                         const std::function<const Schema*(std::uint64_t)>& find) {
    const auto length = static_cast<std::uint32_t>(entry.arrayOrUnionDetail);
    if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) {
        return of_size(FieldType::other, 8);
    }
    const bool is_c_string = entry.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING ||
                             entry.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
    if (is_c_string && length > 0) {
        return {.type = FieldType::text, .size = length, .alignment = 1};
    }
    Element element = element_of(entry.type);
    if (const Schema* nested = element.size == 0 ? find(entry.type) : nullptr) {
        const bool is_plain = nested->layout.fields.size() == 1;
        element = {.type = is_plain ? nested->layout.fields[0].type : FieldType::other,
                   .size = static_cast<std::uint32_t>(nested->static_bytes),
                   .alignment = is_plain ? nested->layout.fields[0].size : 8};
    }
    const bool is_array =
        NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(entry.flags) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
    if (is_array) {
        element.type = is_text_array(entry.type) ? FieldType::text : FieldType::other;
        element.size *= length;
    }
    return element;
}

std::uint32_t round_up(std::uint32_t value, std::uint32_t multiple) {
    return multiple == 0 ? value : (value + multiple - 1) / multiple * multiple;
}

bool has(const nvtxPayloadSchemaAttr_t& attributes, std::uint64_t field) {
    return (attributes.fieldMask & field) != 0;
}

std::string text_or_empty(const char* text) {
    return text == nullptr ? "" : text;
}

}  // namespace

SchemaLayout layout_of(const nvtxPayloadSchemaAttr_t& attributes,
                       const std::function<const Schema*(std::uint64_t)>& find) {
    SchemaLayout layout;
    if (has(attributes, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) {
        layout.schema.name = text_or_empty(attributes.name);
    }
    if (has(attributes, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID)) {
        layout.static_id = attributes.schemaId;
    }
    const bool is_packed =
        has(attributes, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT) && attributes.packAlign > 0;
    const std::size_t count = attributes.entries == nullptr ? 0 : attributes.numEntries;
    std::uint32_t end = 0;
    std::uint32_t widest = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const nvtxPayloadSchemaEntry_t& entry = attributes.entries[i];
        const Element element = element_of_entry(entry, find);
        const auto alignment =
            is_packed
                ? std::min(element.alignment, static_cast<std::uint32_t>(attributes.packAlign))
                : element.alignment;
        const auto offset =
            entry.offset != 0 ? static_cast<std::uint32_t>(entry.offset) : round_up(end, alignment);
        layout.schema.fields.push_back({.name = text_or_empty(entry.name),
                                        .type = element.type,
                                        .offset = offset,
                                        .size = element.size});
        end = offset + element.size;
        widest = std::max(widest, alignment);
    }
    const bool has_size = has(attributes, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE);
    layout.static_bytes = has_size ? attributes.payloadStaticSize : round_up(end, widest);
    return layout;
}

capture::PayloadSchema layout_of_enum(const nvtxPayloadEnumAttr_t& attributes) {
    const bool has_size = (attributes.fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE) != 0;
    const auto size = has_size ? static_cast<std::uint32_t>(attributes.sizeOfEnum) : 4;
    const FieldType type = size == 8   ? FieldType::i64
                           : size == 4 ? FieldType::i32
                                       : FieldType::other;
    capture::PayloadSchema schema;
    schema.name = text_or_empty(attributes.name);
    schema.fields.push_back({.name = schema.name, .type = type, .offset = 0, .size = size});
    return schema;
}

}  // namespace probes::nvtx

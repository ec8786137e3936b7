// SPDX-License-Identifier: Apache-2.0
// The less frequent forms of names and payloads.
#include "probes/nvtx/event.h"

#include "probes/nvtx/probe.h"

namespace probes::nvtx {
namespace {

// Bytes of one code point in UTF-8; nothing for what is none.
std::size_t encode(std::uint32_t point, char (&out)[4]) {
    const auto tail = [point](int shift) {
        return static_cast<char>(0x80 | ((point >> shift) & 0x3f));
    };
    if (point < 0x80) {
        out[0] = static_cast<char>(point);
        return 1;
    }
    if (point < 0x800) {
        out[0] = static_cast<char>(0xc0 | (point >> 6));
        out[1] = tail(0);
        return 2;
    }
    if (point < 0x10000) {
        out[0] = static_cast<char>(0xe0 | (point >> 12));
        out[1] = tail(6);
        out[2] = tail(0);
        return 3;
    }
    if (point < 0x110000) {
        out[0] = static_cast<char>(0xf0 | (point >> 18));
        out[1] = tail(12);
        out[2] = tail(6);
        out[3] = tail(0);
        return 4;
    }
    return 0;
}

}  // namespace

NarrowText::NarrowText(const wchar_t* wide) {
    for (; wide != nullptr && *wide != 0; ++wide) {
        char encoded[4];
        const std::size_t count = encode(static_cast<std::uint32_t>(*wide), encoded);
        if (bytes_ + count > sizeof(text_)) {
            return;
        }
        std::memcpy(text_ + bytes_, encoded, count);
        bytes_ += count;
    }
}

const Domain& domain_of(nvtxDomainHandle_t handle) {
    return handle == nullptr ? *registry().default_domain()
                             : *reinterpret_cast<const Domain*>(handle);
}

void take_payloads(const Domain& domain,
                   const nvtxPayloadData_t* payloads,
                   std::size_t count,
                   Event& event) {
    for (std::size_t i = 0; i < count && payloads != nullptr; ++i) {
        const nvtxPayloadData_t& data = payloads[i];
        const Schema* schema =
            event.schema == nullptr ? registry().find_schema(&domain, data.schemaId) : nullptr;
        const std::size_t bytes =
            data.size == SIZE_MAX && schema != nullptr ? schema->static_bytes : data.size;
        if (schema == nullptr || data.payload == nullptr || bytes > payload_limit_bytes) {
            ++event.ignored_payloads;
            continue;
        }
        event.schema = schema;
        event.payload = {static_cast<const std::byte*>(data.payload), bytes};
    }
}

void take_value(const nvtxEventAttributes_t& attributes, Event& event) {
    event.has_value = true;
    switch (attributes.payloadType) {
        case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
            event.value = static_cast<double>(attributes.payload.ullValue);
            break;
        case NVTX_PAYLOAD_TYPE_INT64:
            event.value = static_cast<double>(attributes.payload.llValue);
            break;
        case NVTX_PAYLOAD_TYPE_DOUBLE:
            event.value = attributes.payload.dValue;
            break;
        case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
            event.value = attributes.payload.uiValue;
            break;
        case NVTX_PAYLOAD_TYPE_INT32:
            event.value = attributes.payload.iValue;
            break;
        case NVTX_PAYLOAD_TYPE_FLOAT:
            event.value = static_cast<double>(attributes.payload.fValue);
            break;
        default:
            event.has_value = false;
    }
}

}  // namespace probes::nvtx

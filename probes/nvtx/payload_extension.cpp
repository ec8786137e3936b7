// SPDX-License-Identifier: Apache-2.0
// NVTX's payload extension: schemas, and the calls that carry payloads without a name.
#include <utility>

#include "probes/nvtx/callbacks.h"
#include "probes/nvtx/event.h"
#include "probes/nvtx/probe.h"
#include "probes/nvtx/schema_layout.h"

namespace probes::nvtx {
namespace {

using Handle = nvtxDomainHandle_t;
using Payload = nvtxPayloadData_t;

// What the program gets as the id of its schema; 0: no room.
std::uint64_t id_for_program(std::uint64_t static_id, std::uint32_t number) {
    if (number == 0) {
        return 0;
    }
    return static_id != 0 ? static_id : dynamic_schema_start + number;
}

std::uint64_t register_schema(Handle handle, const nvtxPayloadSchemaAttr_t* attributes) noexcept {
    return or_null([&]() -> std::uint64_t {
        if (attributes == nullptr) {
            return 0;
        }
        const Domain& domain = domain_of(handle);
        SchemaLayout layout = layout_of(
            *attributes, [&](std::uint64_t id) { return registry().find_schema(&domain, id); });
        return id_for_program(layout.static_id,
                              registry().schema(&domain, layout.static_id, layout.static_bytes,
                                                std::move(layout.schema)));
    });
}

// Values of an enum are kept as the integers they are; its names are not.
std::uint64_t register_enum(Handle handle, const nvtxPayloadEnumAttr_t* attributes) noexcept {
    return or_null([&]() -> std::uint64_t {
        if (attributes == nullptr) {
            return 0;
        }
        const bool has_id = (attributes->fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID) != 0;
        const std::uint64_t static_id = has_id ? attributes->schemaId : 0;
        capture::PayloadSchema schema = layout_of_enum(*attributes);
        const std::size_t bytes = schema.fields[0].size;
        return id_for_program(
            static_id, registry().schema(&domain_of(handle), static_id, bytes, std::move(schema)));
    });
}

// Such an event has no message: its schema's name is the next best.
Event event_of(const Domain& domain, const Payload* payloads, std::size_t count) {
    Event event;
    take_payloads(domain, payloads, count, event);
    if (event.schema != nullptr) {
        event.plain_name = event.schema->layout.name;
    }
    return event;
}

void mark_payload(Handle handle, const Payload* payloads, std::size_t count) noexcept {
    const Domain& domain = domain_of(handle);
    mark(domain, event_of(domain, payloads, count));
}

int push_payload(Handle handle, const Payload* payloads, std::size_t count) noexcept {
    const Domain& domain = domain_of(handle);
    return push(domain, event_of(domain, payloads, count));
}

int pop_payload(Handle handle, const Payload* payloads, std::size_t count) noexcept {
    const Domain& domain = domain_of(handle);
    const Event event = event_of(domain, payloads, count);
    return pop(domain, &event);
}

nvtxRangeId_t start_payload(Handle handle, const Payload* payloads, std::size_t count) noexcept {
    const Domain& domain = domain_of(handle);
    return start(domain, event_of(domain, payloads, count));
}

void end_payload(Handle handle,
                 nvtxRangeId_t id,
                 const Payload* payloads,
                 std::size_t count) noexcept {
    const Event event = event_of(domain_of(handle), payloads, count);
    end(id, &event);
}

template <typename Function>
void set(const nvtxExtModuleSegment_t& segment, std::size_t slot, Function* function) {
    if (slot < segment.slotCount) {
        segment.functionSlots[slot] = reinterpret_cast<std::intptr_t>(function);
    }
}

}  // namespace

void attach_payload_extension(const nvtxExtModuleInfo_t& module) noexcept {
    if (module.segmentsCount == 0 || module.segments == nullptr) {
        return;
    }
    const nvtxExtModuleSegment_t& segment = module.segments[0];
    set(segment, NVTX3EXT_CBID_nvtxPayloadSchemaRegister, register_schema);
    set(segment, NVTX3EXT_CBID_nvtxPayloadEnumRegister, register_enum);
    set(segment, NVTX3EXT_CBID_nvtxMarkPayload, mark_payload);
    set(segment, NVTX3EXT_CBID_nvtxRangePushPayload, push_payload);
    set(segment, NVTX3EXT_CBID_nvtxRangePopPayload, pop_payload);
    set(segment, NVTX3EXT_CBID_nvtxRangeStartPayload, start_payload);
    set(segment, NVTX3EXT_CBID_nvtxRangeEndPayload, end_payload);
}

}  // namespace probes::nvtx

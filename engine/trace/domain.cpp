// SPDX-License-Identifier: Apache-2.0
// Domain "tare", a category per role, and the extended payload schemas "work" and "phase".
#include "engine/trace/domain.h"

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace engine::trace {
namespace {

constexpr std::size_t kernel_capacity = 32;  // with the terminating zero

// Layout of schema "work". Readers map the fields by name.
struct WorkPayload {
    double bytes_read;
    double bytes_written;
    double flops;
    std::int64_t rows;
    std::int64_t context;
    char kernel[kernel_capacity];
};

// Layout of schema "phase".
struct PhasePayload {
    std::int64_t rep;
    std::int64_t rows;
    std::int64_t context;
};

nvtxPayloadSchemaEntry_t entry(const char* field, std::uint64_t type, std::size_t offset) {
    nvtxPayloadSchemaEntry_t result{};
    result.type = type;
    result.name = field;
    result.offset = offset;
    return result;
}

template <std::size_t count>
std::uint64_t register_schema(nvtxDomainHandle_t domain,
                              const char* schema,
                              const nvtxPayloadSchemaEntry_t (&entries)[count],
                              std::size_t bytes) {
    nvtxPayloadSchemaAttr_t attributes{};
    attributes.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attributes.name = schema;
    attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attributes.entries = entries;
    attributes.numEntries = count;
    attributes.payloadStaticSize = bytes;
    return nvtxPayloadSchemaRegister(domain, &attributes);
}

std::uint64_t register_work(nvtxDomainHandle_t domain) {
    nvtxPayloadSchemaEntry_t entries[] = {
        entry("bytes_read", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, offsetof(WorkPayload, bytes_read)),
        entry("bytes_written", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
              offsetof(WorkPayload, bytes_written)),
        entry("flops", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, offsetof(WorkPayload, flops)),
        entry("rows", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(WorkPayload, rows)),
        entry("context", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(WorkPayload, context)),
        entry("kernel", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, offsetof(WorkPayload, kernel)),
    };
    entries[5].arrayOrUnionDetail = kernel_capacity;  // a fixed-size string, embedded
    return register_schema(domain, "work", entries, sizeof(WorkPayload));
}

std::uint64_t register_phase(nvtxDomainHandle_t domain) {
    const nvtxPayloadSchemaEntry_t entries[] = {
        entry("rep", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(PhasePayload, rep)),
        entry("rows", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(PhasePayload, rows)),
        entry("context", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(PhasePayload, context)),
    };
    return register_schema(domain, "phase", entries, sizeof(PhasePayload));
}

// Category 0 means "none" in NVTX, so roles start at 1.
std::uint32_t category(ops::Role role) {
    return static_cast<std::uint32_t>(role) + 1;
}

struct Domain {
    nvtxDomainHandle_t handle = nvtxDomainCreateA("tare");  // null: no tool is attached
    std::uint64_t work = 0;
    std::uint64_t phase = 0;

    Domain() {
        if (handle == nullptr) {
            return;
        }
        for (auto i = 0; i <= static_cast<int>(ops::last_role); ++i) {
            const auto role = static_cast<ops::Role>(i);
            nvtxDomainNameCategoryA(handle, category(role), std::string(name(role)).c_str());
        }
        work = register_work(handle);
        phase = register_phase(handle);
    }
};

const Domain& domain() {
    static const Domain instance;
    return instance;
}

nvtxEventAttributes_t attributes_of(const Label& label) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = static_cast<nvtxStringHandle_t>(label.handle());
    return attributes;
}

void push_with(nvtxEventAttributes_t attributes, const nvtxPayloadData_t& data) {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    attributes.reserved0 = 1;  // number of payloads behind the pointer
    attributes.payload.ullValue = reinterpret_cast<std::uintptr_t>(&data);
    nvtxDomainRangePushEx(domain().handle, &attributes);
}

}  // namespace

bool tool_attached() {
    return domain().handle != nullptr;
}

void* register_string(const char* text) {
    return tool_attached() ? nvtxDomainRegisterStringA(domain().handle, text) : nullptr;
}

void push_range(const Label& label) {
    if (!tool_attached()) {
        return;
    }
    const auto attributes = attributes_of(label);
    nvtxDomainRangePushEx(domain().handle, &attributes);
}

void push_phase(const Label& label, const PhaseInfo& info) {
    if (!tool_attached()) {
        return;
    }
    const PhasePayload payload{info.rep, info.rows, info.context};
    push_with(attributes_of(label), {domain().phase, sizeof payload, &payload});
}

void push_op(const Label& label, std::string_view kernel, ops::Role role, const ops::Work& work) {
    if (!tool_attached()) {
        return;
    }
    WorkPayload payload{work.bytes_read, work.bytes_written, work.flops,
                        work.rows,       work.context,       {}};
    std::memcpy(payload.kernel, kernel.data(), std::min(kernel.size(), kernel_capacity - 1));
    auto attributes = attributes_of(label);
    attributes.category = category(role);
    push_with(attributes, {domain().work, sizeof payload, &payload});
}

void pop_range() {
    if (tool_attached()) {
        nvtxDomainRangePop(domain().handle);
    }
}

}  // namespace engine::trace

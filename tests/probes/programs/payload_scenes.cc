// SPDX-License-Identifier: Apache-2.0
// Plain and extended payloads.
#include <cstddef>
#include <iterator>

#include "tests/probes/programs/scenes.h"

namespace scenes {
namespace {

nvtxPayloadSchemaEntry_t field(const char* name, std::uint64_t type, std::size_t offset) {
    nvtxPayloadSchemaEntry_t entry{};
    entry.name = name;
    entry.type = type;
    entry.offset = offset;
    return entry;
}

template <std::size_t count>
std::uint64_t register_schema(nvtxDomainHandle_t domain,
                              const char* name,
                              const nvtxPayloadSchemaEntry_t (&entries)[count],
                              std::size_t bytes) {
    nvtxPayloadSchemaAttr_t attributes{};
    attributes.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attributes.name = name;
    attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attributes.entries = entries;
    attributes.numEntries = count;
    attributes.payloadStaticSize = bytes;
    return nvtxPayloadSchemaRegister(domain, &attributes);
}

}  // namespace

std::uint64_t register_work(nvtxDomainHandle_t domain) {
    nvtxPayloadSchemaEntry_t kernel =
        field("kernel", NVTX_PAYLOAD_ENTRY_TYPE_CHAR, offsetof(Work, kernel));
    kernel.flags = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
    kernel.arrayOrUnionDetail = sizeof(Work::kernel);
    const nvtxPayloadSchemaEntry_t entries[] = {
        field("bytes_read", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, offsetof(Work, bytes_read)),
        field("bytes_written", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, offsetof(Work, bytes_written)),
        field("flops", NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, offsetof(Work, flops)),
        field("rows", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(Work, rows)),
        field("context", NVTX_PAYLOAD_ENTRY_TYPE_INT64, offsetof(Work, context)),
        kernel,
    };
    return register_schema(domain, "work", entries, sizeof(Work));
}

// Offsets left out: the tool finds them.
std::uint64_t register_phase(nvtxDomainHandle_t domain) {
    const nvtxPayloadSchemaEntry_t entries[] = {
        field("rep", NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0),
        field("rows", NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0),
        field("context", NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0),
    };
    return register_schema(domain, "phase", entries, sizeof(Phase));
}

void attach(nvtxEventAttributes_t& event, const nvtxPayloadData_t* payloads, int count) {
    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    event.reserved0 = count;
    event.payload.ullValue = reinterpret_cast<std::uint64_t>(payloads);
}

namespace {

// A phase with 20 ops.
int ops() {
    const nvtxDomainHandle_t tare = nvtxDomainCreateA("tare");
    const std::uint64_t work_id = register_work(tare);
    const std::uint64_t phase_id = register_phase(tare);
    const Phase phase{.rep = 0, .rows = 333, .context = 17};
    const nvtxPayloadData_t phase_data{phase_id, sizeof(phase), &phase};
    nvtxEventAttributes_t event = named("prefill");
    attach(event, &phase_data, 1);
    nvtxDomainRangePushEx(tare, &event);
    for (int i = 0; i < 20; ++i) {
        Work work{.bytes_read = 1.5,
                  .bytes_written = 2.5,
                  .flops = 3.5 + i,
                  .rows = 4,
                  .context = 5,
                  .kernel = "matmul_bf16"};
        const nvtxPayloadData_t data{work_id, sizeof(work), &work};
        event = named("experts.up");
        attach(event, &data, 1);
        nvtxDomainRangePushEx(tare, &event);
        work.flops = -1;  // the probe has its copy
        nvtxDomainRangePop(tare);
    }
    nvtxDomainRangePop(tare);
    return work_id != 0 && phase_id != 0 && work_id != phase_id ? 0 : 1;
}

template <typename Fill>
void blink_with(const char* name, nvtxPayloadType_t type, Fill fill) {
    nvtxEventAttributes_t event = named(name);
    event.payloadType = type;
    fill(event.payload);
    nvtxRangePushEx(&event);
    nvtxRangePop();
}

int values() {
    blink_with("u64", NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, [](auto& p) { p.ullValue = 64; });
    blink_with("i64", NVTX_PAYLOAD_TYPE_INT64, [](auto& p) { p.llValue = -64; });
    blink_with("f64", NVTX_PAYLOAD_TYPE_DOUBLE, [](auto& p) { p.dValue = 0.5; });
    blink_with("u32", NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, [](auto& p) { p.uiValue = 32; });
    blink_with("i32", NVTX_PAYLOAD_TYPE_INT32, [](auto& p) { p.iValue = -32; });
    blink_with("f32", NVTX_PAYLOAD_TYPE_FLOAT, [](auto& p) { p.fValue = 0.25F; });
    return 0;
}

// Payloads the probe does not keep: a second one, one without a schema, one too long.
int odd_payloads() {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("odd");
    const std::uint64_t schema = register_phase(domain);
    const Phase phase{.rep = 1, .rows = 2, .context = 3};
    static const char large[4096] = {};
    const nvtxPayloadData_t two[] = {{schema, sizeof(phase), &phase},
                                     {schema, sizeof(phase), &phase}};
    const nvtxPayloadData_t stranger{12345, sizeof(phase), &phase};
    const nvtxPayloadData_t too_long{schema, sizeof(large), large};
    const nvtxPayloadData_t size_left_out{schema, SIZE_MAX, &phase};
    const auto blink_with_payload = [&](const char* name, const nvtxPayloadData_t* data, int n) {
        nvtxEventAttributes_t event = named(name);
        attach(event, data, n);
        nvtxDomainRangePushEx(domain, &event);
        nvtxDomainRangePop(domain);
    };
    blink_with_payload("two", two, 2);
    blink_with_payload("stranger", &stranger, 1);
    blink_with_payload("too long", &too_long, 1);
    blink_with_payload("size left out", &size_left_out, 1);
    return register_phase(domain) == schema ? 0 : 1;
}

// The extension's own calls, which have no name.
int payload_calls() {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("calls");
    const std::uint64_t schema = register_phase(domain);
    const Phase phase{.rep = 1, .rows = 2, .context = 3};
    const nvtxPayloadData_t data{schema, sizeof(phase), &phase};
    const nvtxEventAttributes_t late = named("late");
    nvtxRangePushPayload(domain, &data, 1);
    nvtxMarkPayload(domain, &data, 1);
    nvtxRangePopPayload(domain, nullptr, 0);
    nvtxDomainRangePushEx(domain, &late);
    nvtxRangePopPayload(domain, &data, 1);
    nvtxRangeEndPayload(domain, nvtxRangeStartPayload(domain, &data, 1), nullptr, 0);
    return nvtxDomainIsEnabled(domain) == 1 ? 0 : 1;
}

constexpr NamedScene table[] = {
    {"ops", ops},
    {"values", values},
    {"odd_payloads", odd_payloads},
    {"payload_calls", payload_calls},
};

}  // namespace

Scene find_payload_scene(const char* name) {
    return find_in(table, name);
}

}  // namespace scenes

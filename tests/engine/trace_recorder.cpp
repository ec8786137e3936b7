// SPDX-License-Identifier: Apache-2.0
// Attaches to NVTX by static injection: the two function pointers at the end of this file.
#include "tests/engine/trace_recorder.h"

#define NVTX_NO_IMPL  // its types only: the functions are the engine's
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <time.h>

#include <cstring>
#include <deque>
#include <mutex>

namespace fakes {
namespace {

struct Field {
    std::uint64_t type;
    std::string name;
    std::uint64_t offset;
    std::uint64_t length;
};

struct Schema {
    std::string name;
    std::vector<Field> fields;
};

struct Tool {
    std::mutex mutex;  // sessions are made by several threads, as any attached tool would see
    bool recording = false;
    std::deque<std::string> strings;  // a handle is the address of one
    std::map<std::uint32_t, std::string> categories;
    std::vector<Schema> schemas;  // schema id = index + 1
    std::vector<SeenRange> ranges;
    std::vector<std::size_t> open;
};

// Never destroyed: threads and static objects may still push at exit.
Tool& tool() {
    static Tool& instance = *new Tool;
    return instance;
}

std::int64_t now_ns() {
    timespec stamp{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &stamp);
    return std::int64_t{stamp.tv_sec} * 1'000'000'000 + stamp.tv_nsec;
}

nvtxDomainHandle_t create_domain(const char* name) {
    // Another library's domain gets no handle, so its ranges never arrive here.
    static char handle;
    return std::strcmp(name, "tare") == 0 ? reinterpret_cast<nvtxDomainHandle_t>(&handle) : nullptr;
}

nvtxStringHandle_t register_string(nvtxDomainHandle_t, const char* text) {
    const std::lock_guard lock(tool().mutex);
    return reinterpret_cast<nvtxStringHandle_t>(&tool().strings.emplace_back(text));
}

void name_category(nvtxDomainHandle_t, std::uint32_t category, const char* name) {
    const std::lock_guard lock(tool().mutex);
    tool().categories[category] = name;
}

std::uint64_t register_schema(nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t* attributes) {
    Schema schema{attributes->name, {}};
    for (std::size_t i = 0; i < attributes->numEntries; ++i) {
        const auto& entry = attributes->entries[i];
        schema.fields.push_back({entry.type, entry.name, entry.offset, entry.arrayOrUnionDetail});
    }
    const std::lock_guard lock(tool().mutex);
    tool().schemas.push_back(std::move(schema));
    return tool().schemas.size();
}

void read_payload(const nvtxPayloadData_t& data, SeenRange& range) {
    if (data.schemaId == 0 || data.schemaId > tool().schemas.size()) {
        return;
    }
    const auto& schema = tool().schemas[data.schemaId - 1];
    range.schema = schema.name;
    for (const auto& field : schema.fields) {
        const auto* at = static_cast<const char*>(data.payload) + field.offset;
        if (field.type == NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE) {
            std::memcpy(&range.numbers[field.name], at, sizeof(double));
        } else if (field.type == NVTX_PAYLOAD_ENTRY_TYPE_INT64) {
            std::int64_t value = 0;
            std::memcpy(&value, at, sizeof value);
            range.numbers[field.name] = static_cast<double>(value);
        } else if (field.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING) {
            range.texts[field.name] = std::string(at, strnlen(at, field.length));
        }
    }
}

int push(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
    auto& state = tool();
    const std::lock_guard lock(state.mutex);
    if (!state.recording) {
        return 0;
    }
    SeenRange range;
    if (!state.open.empty()) {
        range.path = state.ranges[state.open.back()].path + '/';
    }
    range.path += *reinterpret_cast<const std::string*>(attributes->message.registered);
    if (attributes->category != 0) {
        range.category = state.categories[attributes->category];
    }
    if (attributes->payloadType == NVTX_PAYLOAD_TYPE_EXT && attributes->reserved0 == 1) {
        read_payload(*reinterpret_cast<const nvtxPayloadData_t*>(attributes->payload.ullValue),
                     range);
    }
    state.open.push_back(state.ranges.size());
    range.begin_ns = now_ns();
    state.ranges.push_back(std::move(range));
    return static_cast<int>(state.open.size()) - 1;
}

int pop(nvtxDomainHandle_t) {
    auto& state = tool();
    const std::lock_guard lock(state.mutex);
    if (!state.recording || state.open.empty()) {
        return -1;
    }
    state.ranges[state.open.back()].end_ns = now_ns();
    state.open.pop_back();
    return static_cast<int>(state.open.size());
}

template <class Function>
void set(NvtxFunctionTable table, NvtxCallbackIdCore2 id, Function* function) {
    *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

int attach(NvtxGetExportTableFunc_t get_table) {
    const auto* callbacks =
        static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr ||
        callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) {
        return 0;
    }
    set(table, NVTX_CBID_CORE2_DomainCreateA, create_domain);
    set(table, NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
    set(table, NVTX_CBID_CORE2_DomainNameCategoryA, name_category);
    set(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
    set(table, NVTX_CBID_CORE2_DomainRangePop, pop);
    return 1;
}

int attach_extension(nvtxExtModuleInfo_t* module) {
    if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID || module->segmentsCount == 0) {
        return 0;
    }
    module->segments[0].functionSlots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister] =
        reinterpret_cast<std::intptr_t>(register_schema);
    return 1;
}

}  // namespace

void begin_recording() {
    const std::lock_guard lock(tool().mutex);
    tool().ranges.clear();
    tool().open.clear();
    tool().recording = true;
}

std::vector<SeenRange> end_recording() {
    const std::lock_guard lock(tool().mutex);
    tool().recording = false;
    return std::move(tool().ranges);
}

}  // namespace fakes

extern "C" {
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = fakes::attach;
NvtxExtInitializeInjectionFunc_t InitializeInjectionNvtxExtension_fnptr = fakes::attach_extension;
}

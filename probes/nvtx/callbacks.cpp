// SPDX-License-Identifier: Apache-2.0
// NVTX's modules CORE (default domain) and CORE2 (domains). No exception leaves a callback.
#include "probes/nvtx/callbacks.h"

#include "probes/nvtx/event.h"
#include "probes/nvtx/probe.h"
#include "probes/nvtx/ranges.h"

namespace probes::nvtx {
namespace {

using Attributes = nvtxEventAttributes_t;
using Handle = nvtxDomainHandle_t;

const Domain& default_domain() {
    return *registry().default_domain();
}

Event plain(const char* name) {
    Event event;
    event.plain_name = name == nullptr ? std::string_view() : std::string_view(name);
    return event;
}

Event plain(const NarrowText& name) {
    Event event;
    event.plain_name = name.view();
    return event;
}

// ---- marks ----
void domain_mark_ex(Handle handle, const Attributes* attributes) noexcept {
    const Domain& domain = domain_of(handle);
    with_event(domain, attributes, [&](const Event& event) { mark(domain, event); });
}

void mark_ex(const Attributes* attributes) noexcept {
    domain_mark_ex(nullptr, attributes);
}

void mark_a(const char* name) noexcept {
    mark(default_domain(), plain(name));
}

void mark_w(const wchar_t* name) noexcept {
    mark(default_domain(), plain(NarrowText(name)));
}

// ---- ranges that may cross threads ----
nvtxRangeId_t domain_start_ex(Handle handle, const Attributes* attributes) noexcept {
    const Domain& domain = domain_of(handle);
    return with_event(domain, attributes, [&](const Event& event) { return start(domain, event); });
}

nvtxRangeId_t start_ex(const Attributes* attributes) noexcept {
    return domain_start_ex(nullptr, attributes);
}

nvtxRangeId_t start_a(const char* name) noexcept {
    return start(default_domain(), plain(name));
}

nvtxRangeId_t start_w(const wchar_t* name) noexcept {
    return start(default_domain(), plain(NarrowText(name)));
}

void domain_end(Handle, nvtxRangeId_t id) noexcept {
    end(id);
}

void plain_end(nvtxRangeId_t id) noexcept {
    end(id);
}

// ---- ranges on a thread's stack ----
int domain_push_ex(Handle handle, const Attributes* attributes) noexcept {
    const Domain& domain = domain_of(handle);
    return with_event(domain, attributes, [&](const Event& event) { return push(domain, event); });
}

int push_ex(const Attributes* attributes) noexcept {
    return domain_push_ex(nullptr, attributes);
}

int push_a(const char* name) noexcept {
    return push(default_domain(), plain(name));
}

int push_w(const wchar_t* name) noexcept {
    return push(default_domain(), plain(NarrowText(name)));
}

int domain_pop(Handle handle) noexcept {
    return pop(domain_of(handle));
}

int plain_pop() noexcept {
    return pop(default_domain());
}

// ---- names ----
void name_category(Handle handle, std::uint32_t id, std::string_view name) noexcept {
    or_null([&] {
        registry().name_category(const_cast<Domain&>(domain_of(handle)), id, name);
        return 0;
    });
}

void domain_category_a(Handle handle, std::uint32_t id, const char* name) noexcept {
    name_category(handle, id, plain(name).plain_name);
}

void domain_category_w(Handle handle, std::uint32_t id, const wchar_t* name) noexcept {
    name_category(handle, id, NarrowText(name).view());
}

void category_a(std::uint32_t id, const char* name) noexcept {
    domain_category_a(nullptr, id, name);
}

void category_w(std::uint32_t id, const wchar_t* name) noexcept {
    domain_category_w(nullptr, id, name);
}

void name_thread(std::uint32_t tid, std::string_view name) noexcept {
    or_null([&] {
        registry().name_thread(tid, name);
        return 0;
    });
}

void thread_a(std::uint32_t tid, const char* name) noexcept {
    name_thread(tid, plain(name).plain_name);
}

void thread_w(std::uint32_t tid, const wchar_t* name) noexcept {
    name_thread(tid, NarrowText(name).view());
}

nvtxStringHandle_t register_string(std::string_view text) noexcept {
    const Text* known = or_null([&] { return registry().string(text); });
    return reinterpret_cast<nvtxStringHandle_t>(const_cast<Text*>(known));
}

nvtxStringHandle_t string_a(Handle, const char* text) noexcept {
    return register_string(plain(text).plain_name);
}

nvtxStringHandle_t string_w(Handle, const wchar_t* text) noexcept {
    return register_string(NarrowText(text).view());
}

Handle create_domain(std::string_view name) noexcept {
    return reinterpret_cast<Handle>(or_null([&] { return registry().domain(name); }));
}

Handle domain_a(const char* name) noexcept {
    return create_domain(plain(name).plain_name);
}

Handle domain_w(const wchar_t* name) noexcept {
    return create_domain(NarrowText(name).view());
}

// Its ranges stay in the capture; other images may use the same domain.
void domain_destroy(Handle) noexcept {}

// One module of NVTX in one image: where its function pointers are.
class Module {
  public:
    Module(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
        if (callbacks.GetModuleFunctionTable(module, &table_, &size_) == 0) {
            size_ = 0;
        }
    }

    bool is_known() const { return size_ > 0; }

    template <typename Function>
    void set(unsigned id, Function* function) const {
        if (id < size_ && table_[id] != nullptr) {
            *table_[id] = reinterpret_cast<NvtxFunctionPointer>(function);
        }
    }

  private:
    NvtxFunctionTable table_ = nullptr;
    unsigned size_ = 0;
};

void attach_default_domain(const Module& core) {
    core.set(NVTX_CBID_CORE_MarkEx, mark_ex);
    core.set(NVTX_CBID_CORE_MarkA, mark_a);
    core.set(NVTX_CBID_CORE_MarkW, mark_w);
    core.set(NVTX_CBID_CORE_RangeStartEx, start_ex);
    core.set(NVTX_CBID_CORE_RangeStartA, start_a);
    core.set(NVTX_CBID_CORE_RangeStartW, start_w);
    core.set(NVTX_CBID_CORE_RangeEnd, plain_end);
    core.set(NVTX_CBID_CORE_RangePushEx, push_ex);
    core.set(NVTX_CBID_CORE_RangePushA, push_a);
    core.set(NVTX_CBID_CORE_RangePushW, push_w);
    core.set(NVTX_CBID_CORE_RangePop, plain_pop);
    core.set(NVTX_CBID_CORE_NameCategoryA, category_a);
    core.set(NVTX_CBID_CORE_NameCategoryW, category_w);
    core.set(NVTX_CBID_CORE_NameOsThreadA, thread_a);
    core.set(NVTX_CBID_CORE_NameOsThreadW, thread_w);
}

void attach_domains(const Module& core2) {
    core2.set(NVTX_CBID_CORE2_DomainMarkEx, domain_mark_ex);
    core2.set(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start_ex);
    core2.set(NVTX_CBID_CORE2_DomainRangeEnd, domain_end);
    core2.set(NVTX_CBID_CORE2_DomainRangePushEx, domain_push_ex);
    core2.set(NVTX_CBID_CORE2_DomainRangePop, domain_pop);
    core2.set(NVTX_CBID_CORE2_DomainNameCategoryA, domain_category_a);
    core2.set(NVTX_CBID_CORE2_DomainNameCategoryW, domain_category_w);
    core2.set(NVTX_CBID_CORE2_DomainRegisterStringA, string_a);
    core2.set(NVTX_CBID_CORE2_DomainRegisterStringW, string_w);
    core2.set(NVTX_CBID_CORE2_DomainCreateA, domain_a);
    core2.set(NVTX_CBID_CORE2_DomainCreateW, domain_w);
    core2.set(NVTX_CBID_CORE2_DomainDestroy, domain_destroy);
}

}  // namespace

bool attach_core(NvtxGetExportTableFunc_t get_export_table) noexcept {
    if (get_export_table == nullptr) {
        return false;
    }
    const auto* callbacks =
        static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
    if (callbacks == nullptr || callbacks->struct_size < sizeof(*callbacks)) {
        return false;
    }
    const Module core(*callbacks, NVTX_CB_MODULE_CORE);
    const Module core2(*callbacks, NVTX_CB_MODULE_CORE2);
    if (!core.is_known() && !core2.is_known()) {
        return false;
    }
    attach_default_domain(core);
    attach_domains(core2);
    return true;
}

}  // namespace probes::nvtx

// SPDX-License-Identifier: Apache-2.0
// Looks for the driver and for libcupti by dlopen; works where there is neither.
#include "probes/cupti/gpu_status.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

namespace probes::cupti {
namespace {

constexpr const char* cupti_names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

void* find_loaded() {
    for (const char* name : cupti_names) {
        if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
            return library;
        }
    }
    return nullptr;
}

void* find_on_disk() {
    if (const char* path = std::getenv("TARE_PROBE_CUPTI")) {
        if (void* library = ::dlopen(path, RTLD_LAZY | RTLD_LOCAL)) {
            return library;
        }
    }
    for (const char* name : cupti_names) {
        if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
            return library;
        }
    }
    return nullptr;
}

// "libcupti version 130001"; the handle is kept, because unloading is riskier than keeping.
std::string describe_cupti(bool may_load) {
    void* library = find_loaded();
    if (library == nullptr && may_load) {
        library = find_on_disk();
    }
    if (library == nullptr) {
        return "libcupti is not loaded";
    }
    using GetVersion = int (*)(std::uint32_t*);
    const auto get_version = reinterpret_cast<GetVersion>(::dlsym(library, "cuptiGetVersion"));
    std::uint32_t version = 0;
    if (get_version == nullptr || get_version(&version) != 0) {
        return "libcupti has no version";
    }
    return "libcupti version " + std::to_string(version);
}

}  // namespace

GpuStatus find_gpu_status(bool has_cuda_called) noexcept {
    try {
        const bool has_driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr;
        if (has_cuda_called) {
            return {.status = "nvtx_only",
                    .reason = "this version of the probe collects no GPU records (" +
                              describe_cupti(true) + ")"};
        }
        if (has_driver) {
            return {.status = "nvtx_only",
                    .reason =
                        "CUDA is in this process but has not called the probe: set "
                        "CUDA_INJECTION64_PATH before it starts (" +
                        describe_cupti(false) + ")"};
        }
        return {.status = "nvtx_only",
                .reason = "no CUDA in this process: libcuda.so.1 is not loaded"};
    } catch (...) {
        return {};
    }
}

}  // namespace probes::cupti

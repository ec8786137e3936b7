// SPDX-License-Identifier: Apache-2.0
// The three functions that CUDA and NVTX look for in an injected library.
#include "probes/nvtx/callbacks.h"
#include "probes/nvtx/probe.h"

#define TARE_EXPORT extern "C" __attribute__((visibility("default")))

// By the CUDA driver, for CUDA_INJECTION64_PATH, inside cuInit. 1 is success; the driver must get
// it whether or not we trace.
TARE_EXPORT int InitializeInjection();

int InitializeInjection() {
    if (probes::nvtx::start_probe()) {
        probes::nvtx::note_cuda();
    }
    return 1;
}

// By each ELF image's NVTX at its first call, for NVTX_INJECTION64_PATH. 0: no tool, and every
// later call of that image is a no-op.
TARE_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table);

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table) {
    const bool is_tracing = probes::nvtx::start_probe();
    return is_tracing && probes::nvtx::attach_core(get_export_table) ? 1 : 0;
}

// By each image's NVTX extension at its first call. Extensions we do not know stay no-ops.
TARE_EXPORT int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module);

int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module) {
    if (module == nullptr || !probes::nvtx::start_probe()) {
        return 0;
    }
    if (module->moduleId == NVTX_EXT_PAYLOAD_MODULEID) {
        probes::nvtx::attach_payload_extension(*module);
    }
    return 1;
}

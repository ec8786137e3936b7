// SPDX-License-Identifier: Apache-2.0
// A shared object with NVTX of its own: one more ELF image for the probe to attach to.
#include <nvtx3/nvToolsExt.h>

extern "C" __attribute__((visibility("default"))) void image_ranges(const char* name);

extern "C" void image_ranges(const char* name) {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("shared");
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = name;
    nvtxDomainRangePushEx(domain, &event);
    nvtxDomainRangePop(domain);
}

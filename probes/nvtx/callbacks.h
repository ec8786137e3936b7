// SPDX-License-Identifier: Apache-2.0
// The functions the probe puts behind NVTX's calls, and how they get there.
#pragma once

#include "probes/nvtx/nvtx_headers.h"

namespace probes::nvtx {

// Attaches to one ELF image's NVTX. False: it is not one we know.
bool attach_core(NvtxGetExportTableFunc_t get_export_table) noexcept;

// Attaches to one image's payload extension.
void attach_payload_extension(const nvtxExtModuleInfo_t& module) noexcept;

}  // namespace probes::nvtx

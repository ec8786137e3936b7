// SPDX-License-Identifier: Apache-2.0
// The probe of this process: started by the first injection call, closed at exit.
#pragma once

#include "probes/nvtx/registry.h"
#include "probes/nvtx/settings.h"

namespace probes::nvtx {

// True when this process is being traced. The first call decides; several images may call at once.
// False: TARE_PROBE_OUT is missing or cannot be written (said once on stderr), this is a forked
// child, or the call comes from inside the start itself.
bool start_probe() noexcept;

// The CUDA driver has loaded the probe: the capture's status says what became of that.
void note_cuda() noexcept;

// Valid once start_probe() was true.
Registry& registry();
const Settings& settings();

}  // namespace probes::nvtx

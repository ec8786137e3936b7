// SPDX-License-Identifier: Apache-2.0
// What the probe can say about the GPU side of a process without touching CUDA.
#pragma once

#include <string>

namespace probes::cupti {

struct GpuStatus {
    std::string status;  // "nvtx_only": no GPU records are collected
    std::string reason;  // why, in words
};

// `has_cuda_called`: the driver loaded the probe (CUDA_INJECTION64_PATH). Only then is libcupti
// looked for on disk ($TARE_PROBE_CUPTI, then its SONAME); before, only among what is loaded.
GpuStatus find_gpu_status(bool has_cuda_called) noexcept;

}  // namespace probes::cupti

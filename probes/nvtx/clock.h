// SPDX-License-Identifier: Apache-2.0
// The clock of every stamp in a capture.
#pragma once

#include <ctime>

#include <cstdint>

namespace probes::nvtx {

// CLOCK_MONOTONIC_RAW is never slewed, and CUPTI can be told to use it too.
inline std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace probes::nvtx

// SPDX-License-Identifier: Apache-2.0
// The one clock of the host side.
#pragma once

#include <time.h>

#include <cstdint>

namespace engine::trace {

// CLOCK_MONOTONIC_RAW in nanoseconds: never slewed, the same in every process of the machine.
inline std::int64_t now_ns() {
    timespec stamp{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &stamp);
    return std::int64_t{stamp.tv_sec} * 1'000'000'000 + stamp.tv_nsec;
}

}  // namespace engine::trace

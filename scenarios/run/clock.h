// SPDX-License-Identifier: Apache-2.0
// The two clocks of a run: one for durations, one for the calendar.
#pragma once

#include <cstdint>
#include <string>

namespace scenarios::run {

std::int64_t raw_now_ns();   // CLOCK_MONOTONIC_RAW: the clock of every stamp in the store
std::int64_t real_now_ns();  // CLOCK_REALTIME

std::string utc_text(std::int64_t real_ns);  // "2026-11-30T17:40:05Z"

}  // namespace scenarios::run

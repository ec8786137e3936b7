// SPDX-License-Identifier: Apache-2.0
// One traced process of a trial as events: its threads, ranges, markers and what follows from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "probes/capture/records.h"
#include "reports/export/chrome_events.h"

namespace reports::exports {

struct CaptureSummary {
    std::uint32_t pid = 0;  // as written: the process's own unless another has it already
    std::string fault;      // planted in the probe
    std::int64_t ranges = 0, markers = 0;
    std::int64_t unplaced = 0;  // without two stamps in order: they cannot be shown
    std::int64_t last_ns = 0;
    probes::capture::Loss loss;
};

// A process number of its own for every process: trials run one after the other, and the system
// may give a number again.
class Pids {
  public:
    // `wanted`, or a number beyond all of the system's. Never 0: readers take it for the idle task.
    std::uint32_t claim(std::uint32_t wanted);

  private:
    std::set<std::uint32_t> taken_;
};

// Threads move with their process, so that the main one keeps its number. Throws
// probes::capture::CaptureError.
CaptureSummary write_capture(const std::filesystem::path& capture,
                             Pids& pids,
                             ChromeEvents& events);

}  // namespace reports::exports

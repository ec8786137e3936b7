// SPDX-License-Identifier: Apache-2.0
// What the environment asks of the probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace probes::nvtx {

// Planted faults, so that a check downstream can be seen to go red. Op records are ranges whose
// payload has the schema "work".
enum class FaultKind {
    none,
    drop,      // every Nth op record vanishes, uncounted
    zero,      // every Nth op record has stamps of 0
    truncate,  // the file's tail is cut at exit
    shift,     // op stamps are 1 ms late
    invalid,   // not understood: the capture says so and is not to be used
};

struct Settings {
    std::string folder;  // TARE_PROBE_OUT; empty: not set
    std::string fault;   // TARE_PROBE_FAULT as given
    FaultKind fault_kind = FaultKind::none;
    std::uint64_t fault_every = 0;     // N of drop and zero
    std::size_t ring_records = 16384;  // TARE_PROBE_RING: op records a thread's ring holds
    std::string complaint;             // a value that was not understood, for stderr; one line
};

Settings read_settings();

// drop:N | zero:N | truncate | shift, with N >= 1; anything else is FaultKind::invalid.
void parse_fault(const std::string& text, Settings& settings);

}  // namespace probes::nvtx

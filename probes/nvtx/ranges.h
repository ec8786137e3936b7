// SPDX-License-Identifier: Apache-2.0
// The hot path: ranges open, close, and go to their thread's ring.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "probes/nvtx/registry.h"
#include "probes/nvtx/thread.h"

namespace probes::nvtx {

// What an NVTX event says, whichever call brought it.
struct Event {
    const Text* name = nullptr;  // registered; null: `plain_name`
    std::string_view plain_name;
    std::uint32_t category = 0;
    const Schema* schema = nullptr;      // of `payload`
    std::span<const std::byte> payload;  // copied before the call returns
    bool has_value = false;
    double value = 0;                    // plain 64-bit payload
    std::uint32_t ignored_payloads = 0;  // beyond the first, too long, or without a schema
};

// What NVTX returns where no tool tracks ranges, and where a pop has nothing to close.
constexpr int not_tracking = -2;
constexpr int unbalanced_pop = -1;

// Before the first range. False: no memory.
bool prepare_ranges();

// The 0-based level of the range opened or closed, or one of the above.
int push(const Domain& domain, const Event& event) noexcept;
int pop(const Domain& domain, const Event* late_payload = nullptr) noexcept;

// 0: not tracked.
std::uint64_t start(const Domain& domain, const Event& event) noexcept;
void end(std::uint64_t ticket, const Event* late_payload = nullptr) noexcept;

void mark(const Domain& domain, const Event& event) noexcept;

// ---- at the end of a thread or of the process; inside a visit, or after stop_visits() ----

// Closes the innermost open range of `thread`; false when there is none.
bool close_innermost(Thread& thread, std::int64_t end_ns);

// The same for ranges begun by start(), written through `carrier`.
bool close_one_started(Thread& carrier, std::int64_t end_ns);

}  // namespace probes::nvtx

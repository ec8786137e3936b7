// SPDX-License-Identifier: Apache-2.0
// Ranges between nvtxRangeStart and nvtxRangeEnd: any thread may end what another one started.
#pragma once

#include <atomic>
#include <cstdint>

#include "probes/nvtx/thread.h"

namespace probes::nvtx {

struct OpenRange {
    std::atomic<std::uint64_t> ticket{0};  // 0: not open
    std::uint32_t generation = 0;          // how often this place was used
    std::atomic<std::uint32_t> next_free{0};
    const Text* name = nullptr;
    const Domain* domain = nullptr;
    std::uint32_t category = 0;
    Frame frame;
};

constexpr std::uint32_t open_range_limit = 16384;

// A fixed number of places and a list of free ones; no locks.
class OpenRanges {
  public:
    bool allocate();

    // A place of one's own, to be filled and then opened. Null: all are taken.
    OpenRange* take();

    // Makes it visible to close(); the ticket is never 0 and not used again for 2^32 turns.
    std::uint64_t open(OpenRange& range);

    // The range of the ticket, now the caller's alone; null when it is not open (any more).
    OpenRange* close(std::uint64_t ticket);
    void give_back(OpenRange& range);

    // Some range that is open, now the caller's alone; null when there is none.
    OpenRange* close_any();

  private:
    std::uint32_t number_of(const OpenRange& range) const;

    OpenRange* ranges_ = nullptr;         // number n is ranges_[n - 1]
    std::atomic<std::uint32_t> used_{0};  // numbers above it were never taken
    std::atomic<std::uint64_t> free_{0};  // number in the low half; the rest counts changes
};

}  // namespace probes::nvtx

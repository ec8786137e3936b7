// SPDX-License-Identifier: Apache-2.0
// A lock-free store of open start/end ranges.
#include "probes/nvtx/open_ranges.h"

#include <sys/mman.h>

#include <new>

namespace probes::nvtx {
namespace {

constexpr std::uint64_t one_change = std::uint64_t{1} << 32;

std::uint32_t low_half(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

std::uint64_t with_number(std::uint64_t changes, std::uint32_t number) {
    return ((changes + one_change) & ~(one_change - 1)) | number;
}

}  // namespace

// The pages are zero, which is the initial state of every member.
bool OpenRanges::allocate() {
    void* memory = ::mmap(nullptr, open_range_limit * sizeof(OpenRange), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    ranges_ = static_cast<OpenRange*>(memory);
    return true;
}

std::uint32_t OpenRanges::number_of(const OpenRange& range) const {
    return static_cast<std::uint32_t>(&range - ranges_) + 1;
}

OpenRange* OpenRanges::take() {
    std::uint64_t top = free_.load(std::memory_order_acquire);
    while (low_half(top) != 0) {
        OpenRange& range = ranges_[low_half(top) - 1];
        const std::uint32_t next = range.next_free.load(std::memory_order_relaxed);
        if (free_.compare_exchange_weak(top, with_number(top, next), std::memory_order_acq_rel)) {
            return &range;
        }
    }
    std::uint32_t used = used_.load(std::memory_order_relaxed);
    while (used < open_range_limit) {
        if (used_.compare_exchange_weak(used, used + 1, std::memory_order_acq_rel)) {
            return &ranges_[used];
        }
    }
    return nullptr;
}

std::uint64_t OpenRanges::open(OpenRange& range) {
    const std::uint64_t ticket = (std::uint64_t{++range.generation} << 32) | number_of(range);
    range.ticket.store(ticket, std::memory_order_release);
    return ticket;
}

OpenRange* OpenRanges::close(std::uint64_t ticket) {
    const std::uint32_t number = low_half(ticket);
    if (number == 0 || number > used_.load(std::memory_order_acquire)) {
        return nullptr;
    }
    OpenRange& range = ranges_[number - 1];
    std::uint64_t expected = ticket;
    const bool is_ours =
        range.ticket.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
    return is_ours ? &range : nullptr;
}

void OpenRanges::give_back(OpenRange& range) {
    std::uint64_t top = free_.load(std::memory_order_relaxed);
    do {
        range.next_free.store(low_half(top), std::memory_order_relaxed);
    } while (!free_.compare_exchange_weak(top, with_number(top, number_of(range)),
                                          std::memory_order_acq_rel));
}

OpenRange* OpenRanges::close_any() {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    for (std::uint32_t number = 1; number <= used; ++number) {
        const std::uint64_t ticket = ranges_[number - 1].ticket.load(std::memory_order_acquire);
        if (ticket == 0) {
            continue;
        }
        if (OpenRange* range = close(ticket)) {
            return range;
        }
    }
    return nullptr;
}

}  // namespace probes::nvtx

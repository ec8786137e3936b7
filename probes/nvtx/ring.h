// SPDX-License-Identifier: Apache-2.0
// A ring of 64-byte cells with one producer and one consumer and no locks: a thread's records on
// their way to the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "probes/capture/format.h"

namespace probes::nvtx {

class Ring {
  public:
    // `cells` is a power of two. The memory is touched at once, so that no page fault falls into
    // a range. False: no memory.
    bool allocate(std::size_t cells);

    // ---- producer ----
    bool has_room(std::size_t cells) {
        const std::uint64_t head = head_.load(std::memory_order_relaxed);
        if (head + cells - tail_seen_ > capacity_) {
            tail_seen_ = tail_.load(std::memory_order_acquire);
        }
        return head + cells - tail_seen_ <= capacity_;
    }

    // Writes whole cells behind the head and makes them visible. Room was checked.
    void push(const std::byte* record, std::size_t cells) {
        const std::uint64_t head = head_.load(std::memory_order_relaxed);
        const std::size_t at = head & (capacity_ - 1);
        if (at + cells <= capacity_ && cells == 1) {
            std::memcpy(cell(at), record, capture::cell_bytes);
        } else if (at + cells <= capacity_ && cells == 2) {
            std::memcpy(cell(at), record, 2 * capture::cell_bytes);
        } else {
            push_split(at, record, cells);
        }
        head_.store(head + cells, std::memory_order_release);
    }

    bool is_half_full() {
        const std::uint64_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_seen_ <= capacity_ / 2) {
            return false;
        }
        tail_seen_ = tail_.load(std::memory_order_acquire);
        return head - tail_seen_ > capacity_ / 2;
    }

    // ---- consumer ----
    std::uint64_t head() const { return head_.load(std::memory_order_acquire); }

    std::uint64_t tail() const { return tail_.load(std::memory_order_relaxed); }

    void release(std::uint64_t tail) { tail_.store(tail, std::memory_order_release); }

    const std::byte* cell_at(std::uint64_t position) const {
        return cell(position & (capacity_ - 1));
    }

    struct Stretch {
        std::span<const std::byte> first;
        std::span<const std::byte> second;  // where the ring wraps
    };

    Stretch stretch(std::uint64_t begin, std::uint64_t end) const;

  private:
    std::byte* cell(std::size_t index) const { return cells_ + index * capture::cell_bytes; }

    void push_split(std::size_t at, const std::byte* record, std::size_t cells);

    std::byte* cells_ = nullptr;
    std::uint64_t capacity_ = 0;   // cells
    std::uint64_t tail_seen_ = 0;  // the producer's last look at tail_
    std::atomic<std::uint64_t> head_{0};
    alignas(64) std::atomic<std::uint64_t> tail_{0};
};

}  // namespace probes::nvtx

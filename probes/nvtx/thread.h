// SPDX-License-Identifier: Apache-2.0
// What the probe keeps for each thread that makes ranges: ring, path table, stacks, counters.
//
// Only the thread itself touches its tables and stacks, inside a Visit. The collector consumes the
// ring, reads the counters, and takes over the stacks at the end, once no visit can be under way.
// A Thread is never freed: when its thread ends it waits for the next one, names and all.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "probes/capture/format.h"
#include "probes/nvtx/path_table.h"
#include "probes/nvtx/ring.h"

namespace probes::nvtx {

// Payloads longer than this are not kept. NCCL's and the engine's are below 100 bytes.
constexpr std::size_t payload_limit_bytes = 256;

// A range that is open. Record and payload lie as they will in the ring, so that closing a range
// copies one stretch.
struct Frame {
    capture::RangeRecord record;  // path, end, head: filled when it closes
    std::byte payload[payload_limit_bytes];
    PathNode* node;  // null: its path found no room
};

static_assert(offsetof(Frame, payload) == sizeof(capture::RangeRecord));

// Deeper nesting than this is counted as dropped.
constexpr std::uint32_t depth_limit = 1024;

// The open ranges of one domain on one thread. NVTX keeps one stack per (thread, domain), and so
// the parent of a range is the innermost open one of its own domain: two libraries that nest into
// each other do not see each other's ranges in their paths. Ids grow with time within a thread,
// so the innermost range over all domains is the top frame with the largest id.
struct Stack {
    std::uint32_t depth = 0;
    std::uint32_t too_deep = 0;  // pushes beyond the limit, still to be popped
    Frame* frames = nullptr;     // depth_limit of them, untouched pages cost nothing
};

// Written by its own thread only, read by the collector.
class Counter {
  public:
    void add_one() { value_.store(get() + 1, std::memory_order_relaxed); }

    std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

enum class Life : std::uint32_t { free, running, ended };

struct Thread {
    std::atomic<std::uint32_t> is_busy{0};  // a visit is under way
    std::uint32_t serial = 0;               // of this thread, unique in the process, from 1
    std::uint32_t tid = 0;
    std::uint64_t next_id = 0;  // range ids: serial in the upper 24 bits, then a count
    Ring ring;
    PathTable paths;
    std::array<Stack, domain_limit> stacks;
    std::uint32_t domains_used = 0;  // stacks beyond it are empty

    Counter dropped;
    Counter open_at_end;
    Counter unbalanced;
    Counter ignored_payloads;

    std::atomic<Life> life{Life::running};
    Thread* next = nullptr;  // in the list of all threads

    // Null when there is no memory for it.
    Stack* stack(const Domain& domain);
};

// The calling thread's, for the length of one NVTX call. Empty when the probe has stopped, in a
// forked child, and in a call that interrupted another one on this thread (a signal handler, an
// allocator that makes ranges): such a call is counted as dropped.
class Visit {
  public:
    Visit();

    ~Visit() {
        if (thread_ != nullptr) {
            thread_->is_busy.store(0, std::memory_order_release);
        }
    }

    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    explicit operator bool() const { return thread_ != nullptr; }

    Thread* operator->() const { return thread_; }

    Thread& operator*() const { return *thread_; }

  private:
    Thread* thread_;
};

// ---- for the collector ----

struct ThreadHooks {
    void (*at_end)(Thread&);  // inside a last visit of the thread
    void (*after_end)();      // its tables may be reused once its ring is drained
};

// Before the first visit. The size of a ring is in cells, a power of two.
bool prepare_threads(const ThreadHooks& hooks, std::size_t ring_cells);

// Newest first; never shrinks.
Thread* all_threads();

// Calls on threads that got no memory for their ring: their ranges are lost.
std::uint64_t calls_without_thread();

// From now on every new visit is empty. Returns when no visit is under way, or after 200 ms.
void stop_visits();

// In a forked child: the same at once, and for good.
void stop_visits_in_child();

// Registering calls look here before they take a lock: in a forked child some other thread of the
// parent may have held it.
bool visits_are_stopped();

// The calling thread's own, or a fresh one, regardless of stop_visits(). May be null.
Thread* thread_after_stop();

}  // namespace probes::nvtx

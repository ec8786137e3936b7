// SPDX-License-Identifier: Apache-2.0
// Threads come and go; their tables stay.
#include "probes/nvtx/thread.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "probes/nvtx/clock.h"

namespace probes::nvtx {
namespace {

// One pointer in the static TLS block: reading it is one instruction, and a library opened late
// always finds room for eight bytes.
__attribute__((tls_model("initial-exec"))) thread_local Thread* current = nullptr;

constinit std::atomic<Thread*> threads{nullptr};
constinit std::atomic<std::uint32_t> last_serial{0};
constinit std::atomic<std::uint64_t> lost_calls{0};
constinit std::atomic<bool> is_stopped{false};
std::size_t ring_cells = 0;
pthread_key_t end_key;
void (*call_at_thread_end)(Thread&) = nullptr;
void (*call_after_thread_end)() = nullptr;

// Runs as the destructor of the thread's key.
void end_thread(void* pointer) noexcept {
    auto& thread = *static_cast<Thread*>(pointer);
    if (Visit visit; visit) {
        call_at_thread_end(thread);
    }
    current = nullptr;
    thread.life.store(Life::ended, std::memory_order_release);
    call_after_thread_end();
}

Thread* reuse_thread() {
    for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) {
        Life expected = Life::free;
        if (thread->life.load(std::memory_order_relaxed) == Life::free &&
            thread->life.compare_exchange_strong(expected, Life::running,
                                                 std::memory_order_acq_rel)) {
            return thread;
        }
    }
    return nullptr;
}

void enlist(Thread* thread) {
    thread->next = threads.load(std::memory_order_relaxed);
    while (!threads.compare_exchange_weak(thread->next, thread, std::memory_order_acq_rel)) {
    }
}

// A thread's first range: the only time it allocates more than a new name needs.
__attribute__((noinline)) Thread* attach() noexcept {
    Thread* thread = reuse_thread();
    const bool is_new = thread == nullptr;
    if (is_new) {
        thread = new (std::nothrow) Thread;
        if (thread == nullptr || !thread->ring.allocate(ring_cells)) {
            delete thread;
            return nullptr;
        }
    }
    thread->is_busy.store(1, std::memory_order_relaxed);
    thread->serial = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
    thread->tid = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    thread->next_id = std::uint64_t{thread->serial} << 40;
    current = thread;
    if (is_new) {
        enlist(thread);
    }
    ::pthread_setspecific(end_key, thread);
    thread->is_busy.store(0, std::memory_order_release);
    return thread;
}

}  // namespace

Visit::Visit() : thread_(current) {
    if (thread_ == nullptr) {
        if (is_stopped.load(std::memory_order_acquire)) {
            return;
        }
        thread_ = attach();
        if (thread_ == nullptr) {
            lost_calls.fetch_add(1, std::memory_order_relaxed);
            return;
        }
    }
    if (thread_->is_busy.load(std::memory_order_relaxed) != 0) {
        thread_->dropped.add_one();
        thread_ = nullptr;
        return;
    }
    // stop_visits() makes the processor order this store before the load below.
    thread_->is_busy.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (is_stopped.load(std::memory_order_acquire)) {
        thread_->is_busy.store(0, std::memory_order_release);
        thread_ = nullptr;
    }
}

Stack* Thread::stack(const Domain& domain) {
    Stack& stack = stacks[domain.index];
    if (stack.frames == nullptr) {
        void* memory = ::mmap(nullptr, depth_limit * sizeof(Frame), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return nullptr;
        }
        stack.frames = static_cast<Frame*>(memory);
        domains_used = std::max(domains_used, domain.index + 1);
    }
    return &stack;
}

bool prepare_threads(const ThreadHooks& hooks, std::size_t cells) {
    ring_cells = cells;
    call_at_thread_end = hooks.at_end;
    call_after_thread_end = hooks.after_end;
    ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    return ::pthread_key_create(&end_key, end_thread) == 0;
}

Thread* all_threads() {
    return threads.load(std::memory_order_acquire);
}

std::uint64_t calls_without_thread() {
    return lost_calls.load(std::memory_order_relaxed);
}

bool visits_are_stopped() {
    return is_stopped.load(std::memory_order_acquire);
}

void stop_visits_in_child() {
    is_stopped.store(true);
}

void stop_visits() {
    is_stopped.store(true);
    // Every running thread passes a full barrier: afterwards it has either shown itself busy or
    // will see the stop. Where the kernel does not offer it, a pause drains the store buffers.
    if (::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
        ::usleep(1000);
    }
    const std::int64_t deadline_ns = now_ns() + 200'000'000;
    for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) {
        while (thread->is_busy.load(std::memory_order_acquire) != 0 && now_ns() < deadline_ns) {
            ::usleep(50);
        }
    }
}

Thread* thread_after_stop() {
    return current != nullptr ? current : attach();
}

}  // namespace probes::nvtx

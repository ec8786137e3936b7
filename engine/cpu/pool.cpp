// SPDX-License-Identifier: Apache-2.0
// Workers spin for a while between jobs (a decode step has a hundred), then sleep.
#include "engine/cpu/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

namespace engine::cpu {

namespace {

constexpr std::uint64_t field = (1u << 20) - 1;
constexpr std::uint32_t epochs = (1u << 24) - 1;
constexpr int spins_before_sleep = 4000;  // about 50 to 100 us
constexpr int spins_before_yield = 400;

std::uint32_t epoch_of(std::uint64_t ticket) {
    return static_cast<std::uint32_t>(ticket >> 40);
}

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

Pool::Pool(int threads) {
    try {
        for (int i = 1; i < std::max(threads, 1); ++i) {
            workers_.emplace_back([this, i] { work(i); });
        }
    } catch (const std::system_error& error) {  // a limit of processes or of memory
        const auto started = workers_.size() + 1;
        end_workers();
        throw std::runtime_error(
            fmt::format("thread {} of {} cannot be started: {}; use --threads {} at most, or raise "
                        "the limits of processes (ulimit -u) and of memory (ulimit -v)",
                        started + 1, threads, error.code().message(), started));
    }
}

Pool::~Pool() {
    end_workers();
}

void Pool::end_workers() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    more_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

// Claims and runs one task of the job `epoch`; false when none is left.
bool Pool::take(std::uint32_t epoch, int thread) {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    while (epoch_of(ticket) == epoch && (ticket & field) < (ticket >> 20 & field)) {
        const Call call = call_.load(std::memory_order_relaxed);
        const void* body = body_.load(std::memory_order_relaxed);
        if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
        call(body, static_cast<std::int64_t>(ticket & field), thread);
        done_.fetch_add(1, std::memory_order_release);
        return true;
    }
    return false;
}

void Pool::share(std::int64_t tasks, Call call, const void* body) {
    if (tasks > max_tasks) {  // beyond the ticket's field
        for (std::int64_t task = 0; task < tasks; ++task) call(body, task, 0);
        return;
    }
    call_.store(call, std::memory_order_relaxed);
    body_.store(body, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    const std::uint32_t epoch = (epoch_of(ticket_.load()) + 1) & epochs;
    ticket_.store(std::uint64_t(epoch) << 40 | static_cast<std::uint64_t>(tasks) << 20);
    if (sleepers_.load() > 0) {
        { const std::lock_guard lock(mutex_); }
        more_.notify_all();
    }
    while (take(epoch, 0)) {
    }
    for (int spins = 0; done_.load(std::memory_order_acquire) != tasks; ++spins) {
        if (spins < spins_before_yield)
            pause();
        else
            std::this_thread::yield();
    }
}

std::uint32_t Pool::wait_for_more(std::uint32_t epoch) {
    for (int spins = 0; spins < spins_before_sleep; ++spins) {
        const std::uint32_t now = epoch_of(ticket_.load(std::memory_order_acquire));
        if (now != epoch || stop_.load(std::memory_order_relaxed)) return now;
        pause();
    }
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1);
    more_.wait(lock, [&] { return epoch_of(ticket_.load()) != epoch || stop_.load(); });
    sleepers_.fetch_sub(1);
    return epoch_of(ticket_.load());
}

void Pool::work(int thread) {
    std::uint32_t epoch = 0;
    while (!stop_.load(std::memory_order_relaxed)) {
        epoch = wait_for_more(epoch);
        while (take(epoch, thread)) {
        }
    }
}

}  // namespace engine::cpu

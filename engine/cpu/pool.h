// SPDX-License-Identifier: Apache-2.0
// A few threads that take numbered tasks. Who takes which task decides no result.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace engine::cpu {

class Pool {
  public:
    explicit Pool(int threads);  // the caller is one of them; at least 1
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads() const { return static_cast<int>(workers_.size()) + 1; }

    // Calls body(task, thread) once for each task in [0, tasks), returns when all are done.
    // thread is in [0, threads()); no two calls with the same thread overlap. Body must not throw.
    template <class Body>
    void run(std::int64_t tasks, const Body& body) {
        if (tasks == 1 || workers_.empty()) {
            for (std::int64_t task = 0; task < tasks; ++task) body(task, 0);
            return;
        }
        const auto call = [](const void* self, std::int64_t task, int thread) {
            (*static_cast<const Body*>(self))(task, thread);
        };
        share(tasks, call, &body);
    }

    static constexpr std::int64_t max_tasks = (1 << 20) - 1;

  private:
    using Call = void (*)(const void*, std::int64_t, int);

    void end_workers();
    void share(std::int64_t tasks, Call call, const void* body);
    void work(int thread);
    bool take(std::uint32_t epoch, int thread);
    std::uint32_t wait_for_more(std::uint32_t epoch);

    // epoch (24 bits) | tasks (20 bits) | next (20 bits). A task is claimed by exchanging the whole
    // word, so a late thread can never claim a task of a job whose body it has not read.
    std::atomic<std::uint64_t> ticket_{0};
    std::atomic<std::int64_t> done_{0};
    std::atomic<Call> call_{nullptr};
    std::atomic<const void*> body_{nullptr};
    std::atomic<int> sleepers_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable more_;
    std::vector<std::thread> workers_;
};

}  // namespace engine::cpu

// SPDX-License-Identifier: Apache-2.0
// The thread pool: every task once, jobs back to back, sleepers woken.
#include "engine/cpu/pool.h"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using engine::cpu::Pool;

TEST(Pool, every_task_of_many_short_jobs_runs_exactly_once) {
    Pool pool(4);
    for (int job = 0; job < 2000; ++job) {
        std::vector<int> runs(static_cast<std::size_t>(job % 37));
        pool.run(job % 37, [&](std::int64_t task, int) { ++runs[static_cast<std::size_t>(task)]; });
        for (const int count : runs) ASSERT_EQ(count, 1);
    }
}

TEST(Pool, no_two_tasks_share_a_thread_number_at_the_same_time) {
    Pool pool(3);
    std::vector<std::atomic<int>> busy(3);
    pool.run(500, [&](std::int64_t, int thread) {
        EXPECT_EQ(busy[static_cast<std::size_t>(thread)].fetch_add(1), 0);
        busy[static_cast<std::size_t>(thread)].fetch_sub(1);
    });
}

TEST(Pool, a_job_after_a_pause_wakes_sleepers) {
    Pool pool(2);
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::atomic<int> sum{0};
        pool.run(10, [&](std::int64_t task, int) { sum += static_cast<int>(task); });
        EXPECT_EQ(sum, 45);
    }
}

TEST(Pool, one_thread_runs_in_order) {
    Pool pool(1);
    std::vector<std::int64_t> order;
    pool.run(4, [&](std::int64_t task, int) { order.push_back(task); });
    EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// However a process ends or multiplies, its capture can be read and nothing hangs.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "tests/probes/traced_run.h"

namespace probes {
namespace {

std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// A child that leaves by exit() runs the leak checker, which takes the sanitizer's own locks of
// memory. Another thread of the parent may have held one at the fork, and nobody in the child gives
// it back (the libasan of g++ 12 does not take them around a fork). And a thread sanitizer that
// sleeps at every exit would make many children a minute long.
Environment for_children_that_exit() {
    return {{"ASAN_OPTIONS", "detect_leaks=0"}, {"TSAN_OPTIONS", "atexit_sleep_ms=0"}};
}

TEST(probe_process, ranges_open_at_exit_are_closed_and_counted) {
    const TracedRun run("open_at_end");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_TRUE(contents.loss.finished);
    EXPECT_EQ(contents.loss.open_ranges, 4u);
    const capture::Range outer = contents.only("outer");
    const capture::Range inner = contents.only("outer/inner");
    EXPECT_EQ(outer.flags, capture::range_open_at_end);
    EXPECT_EQ(inner.flags, capture::range_open_at_end);
    EXPECT_EQ(inner.parent, outer.id);
    EXPECT_GT(outer.end_ns, outer.start_ns);
    EXPECT_EQ(contents.only("elsewhere").flags, capture::range_open_at_end);
    EXPECT_EQ(contents.only("started").flags,
              capture::range_open_at_end | capture::range_start_end);
}

TEST(probe_process, ranges_open_at_the_end_of_a_thread_are_closed_and_counted) {
    const Contents contents = TracedRun("open_at_thread_end").only_capture();
    EXPECT_EQ(contents.only("left open").flags, capture::range_open_at_end);
    EXPECT_EQ(contents.loss.open_ranges, 1u);
}

// Everything up to half a second before the kill must be there.
bool kill_loses_at_most_half_a_second() {
    TracedRun run(TracedRun::Running{}, "runs_for_ever");
    ::usleep(900'000);
    const std::int64_t killed_ns = now_ns();
    run.kill_it();
    EXPECT_TRUE(run.was_killed_by(SIGKILL));
    const Contents contents = run.only_capture();
    EXPECT_FALSE(contents.loss.finished);
    EXPECT_EQ(contents.loss.dropped, 0u);
    return !contents.ranges.empty() && killed_ns - contents.ranges.back().end_ns < 500'000'000;
}

TEST(probe_process, sigkill_leaves_a_readable_file_with_all_but_the_last_half_second) {
    bool is_kept = false;
    for (int turn = 0; turn < 3 && !is_kept; ++turn) {  // a loaded machine may starve the writer
        is_kept = kill_loses_at_most_half_a_second();
    }
    EXPECT_TRUE(is_kept);
}

TEST(probe_process, an_exit_without_handlers_keeps_what_was_drained) {
    const TracedRun run("exits_without_handlers");
    EXPECT_TRUE(run.exited_with(3));
    const Contents contents = run.only_capture();
    contents.only("kept");
    EXPECT_FALSE(contents.loss.finished);
    EXPECT_EQ(contents.loss.truncated_bytes, 0u);
}

TEST(probe_process, an_abort_stays_an_abort_and_keeps_what_was_drained) {
    const TracedRun run("aborts");
    EXPECT_TRUE(run.was_killed_by(SIGABRT));
    run.only_capture().only("kept");
}

TEST(probe_process, exit_among_running_threads_ends_the_file) {
    for (int turn = 0; turn < 5; ++turn) {
        const TracedRun run("exits_among_threads");
        ASSERT_TRUE(run.exited_with(0)) << run.said();
        const Contents contents = run.only_capture();
        EXPECT_TRUE(contents.loss.finished);
        EXPECT_EQ(contents.loss.truncated_bytes, 0u);
        EXPECT_EQ(contents.loss.negative, 0u);
        EXPECT_LE(contents.loss.open_ranges, 6u);
        EXPECT_GT(contents.ranges.size(), 0u);
    }
}

TEST(probe_process, a_forked_child_is_inert_and_its_parent_intact) {
    const TracedRun run("forks", for_children_that_exit());
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const Contents contents = run.only_capture();
    EXPECT_TRUE(contents.loss.finished);
    contents.only("before");
    contents.only("around");
    contents.only("after");
    EXPECT_EQ(contents.ranges.size(), 3u);
}

TEST(probe_process, children_forked_in_the_middle_of_registering_do_not_hang) {
    const TracedRun run("forks_often", for_children_that_exit());
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const Contents contents = run.only_capture();
    EXPECT_TRUE(contents.loss.finished);
    EXPECT_TRUE(contents.all("child").empty());
    EXPECT_GT(contents.all("other").size(), 0u);
}

TEST(probe_process, a_child_forked_before_the_first_range_has_a_file_of_its_own) {
    const TracedRun run("forks_first");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    ASSERT_EQ(run.files().size(), 2u);
    std::vector<std::string> paths;
    for (const auto& file : run.files()) {
        const Contents contents = read_capture(file);
        EXPECT_TRUE(contents.loss.finished);
        ASSERT_EQ(contents.ranges.size(), 1u);
        paths.push_back(contents.path(contents.ranges[0]));
    }
    std::sort(paths.begin(), paths.end());
    EXPECT_EQ(paths, (std::vector<std::string>{"in the child", "in the parent"}));
}

TEST(probe_process, a_child_that_execs_has_a_file_of_its_own) {
    const TracedRun run("forks_and_execs");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    ASSERT_EQ(run.files().size(), 2u);
    EXPECT_TRUE(read_capture(run.files()[0]).loss.finished);
    EXPECT_TRUE(read_capture(run.files()[1]).loss.finished);
}

TEST(probe_process, a_process_that_replaces_itself_keeps_both_captures) {
    const TracedRun run("replaces_itself");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const auto files = run.files();
    ASSERT_EQ(files.size(), 2u);
    const Contents second = read_capture(files[0]);  // "<pid>.2.capture" sorts first
    const Contents first = read_capture(files[1]);
    EXPECT_EQ(first.process.pid, second.process.pid);
    first.only("before");
    EXPECT_FALSE(first.loss.finished);
    EXPECT_TRUE(second.loss.finished);
}

TEST(probe_process, a_program_that_closes_all_descriptors_harms_neither_file) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "closing another thread's descriptor is the point here, and a race";
#endif
    const TracedRun run("closes_descriptors");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const Contents contents = run.only_capture();
    EXPECT_TRUE(contents.loss.finished);
    contents.only("before");
    contents.only("after");
    std::ifstream own(run.folder() / "own");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(own), {}), "mine");
}

TEST(probe_process, a_full_disk_is_counted_and_the_program_goes_on) {
    const TracedRun run("disk_full");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.loss.truncated_bytes, 0u);
    EXPECT_LT(contents.ranges.size(), 5000u);
    if (contents.loss.finished) {
        EXPECT_EQ(contents.ranges.size() + contents.loss.dropped, 5000u);
    }
}

}  // namespace
}  // namespace probes

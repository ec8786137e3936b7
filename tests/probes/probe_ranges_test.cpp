// SPDX-License-Identifier: Apache-2.0
// What the probe makes of NVTX ranges: names, paths, parents, threads.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/probes/traced_run.h"

namespace probes {
namespace {

void expect_no_loss(const Contents& contents) {
    EXPECT_TRUE(contents.loss.finished);
    EXPECT_EQ(contents.loss.dropped, 0u);
    EXPECT_EQ(contents.loss.zero_stamps, 0u);
    EXPECT_EQ(contents.loss.negative, 0u);
    EXPECT_EQ(contents.loss.open_ranges, 0u);
    EXPECT_EQ(contents.loss.unbalanced_pops, 0u);
    EXPECT_EQ(contents.loss.truncated_bytes, 0u);
}

TEST(probe_ranges, every_form_of_a_name_arrives) {
    const TracedRun run("names");
    ASSERT_TRUE(run.exited_with(0)) << run.said();
    const Contents contents = run.only_capture();
    expect_no_loss(contents);
    for (const char* path : {"outer", "outer/ascii", "outer/registered", "outer/registered wide",
                             "outer/größe €", "plain", "plain wide", ""}) {
        contents.only(path);
    }
    EXPECT_EQ(contents.ranges.size(), 8u);
    const auto& node = contents.nodes.at(contents.only("outer").path);
    EXPECT_EQ(node.domain, "own");
    EXPECT_EQ(node.category, "expert GEMM");
    EXPECT_EQ(contents.nodes.at(contents.only("plain").path).domain, "");
    EXPECT_EQ(contents.nodes.at(contents.only("plain").path).category, "");
    EXPECT_EQ(contents.thread_names.at(contents.only("plain").tid), "the main one");
    EXPECT_TRUE(std::isnan(contents.only("plain").value));
}

TEST(probe_ranges, the_opening_facts_are_those_of_the_process) {
    const Contents contents = TracedRun("names").only_capture();
    EXPECT_GT(contents.process.pid, 0u);
    EXPECT_FALSE(contents.process.host.empty());
    EXPECT_GT(contents.process.start_real_ns, 1'600'000'000'000'000'000);
    EXPECT_EQ(contents.process.status, "nvtx_only");
    EXPECT_NE(contents.process.status_reason.find("libcuda"), std::string::npos);
    EXPECT_EQ(contents.process.fault, "");
    for (const capture::Range& range : contents.ranges) {
        EXPECT_GE(range.start_ns, contents.process.start_raw_ns);
        EXPECT_GE(range.end_ns, range.start_ns);
    }
}

TEST(probe_ranges, parents_are_of_the_same_domain) {
    const Contents contents = TracedRun("domains").only_capture();
    expect_no_loss(contents);
    const capture::Range a1 = contents.only("a1");
    const capture::Range a2 = contents.only("a1/a2");
    const capture::Range b1 = contents.only("b1");
    EXPECT_EQ(a1.parent, 0u);
    EXPECT_EQ(a1.root, a1.id);
    EXPECT_EQ(a2.parent, a1.id);
    EXPECT_EQ(a2.root, a1.id);
    EXPECT_EQ(b1.parent, 0u);
    EXPECT_EQ(b1.root, b1.id);
}

TEST(probe_ranges, marks_have_one_stamp_and_the_open_range_as_parent) {
    const Contents contents = TracedRun("domains").only_capture();
    const capture::Range moment = contents.only("a1/a2/moment");
    EXPECT_EQ(moment.flags, capture::range_marker);
    EXPECT_EQ(moment.start_ns, moment.end_ns);
    EXPECT_EQ(moment.parent, contents.only("a1/a2").id);
    EXPECT_EQ(moment.root, contents.only("a1").id);
    EXPECT_EQ(contents.only("alone").parent, 0u);
    EXPECT_EQ(contents.only("alone wide").flags, capture::range_marker);
}

TEST(probe_ranges, unbalanced_pops_are_negative_and_counted) {
    const TracedRun run("levels");
    ASSERT_TRUE(run.exited_with(0)) << "a level was wrong";
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.loss.unbalanced_pops, 2u);
    EXPECT_EQ(contents.ranges.size(), 4u);
}

TEST(probe_ranges, nesting_beyond_the_limit_is_dropped_and_balanced) {
    const TracedRun run("deep");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.ranges.size(), 1024u);
    EXPECT_EQ(contents.loss.dropped, 1100u - 1024u);
    EXPECT_EQ(contents.loss.unbalanced_pops, 1u);
}

TEST(probe_ranges, start_end_ranges_cross_threads) {
    const TracedRun run("start_end");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    const capture::Range crossing = contents.only("crossing");
    const capture::Range other = contents.only("other");
    EXPECT_EQ(crossing.flags, capture::range_start_end);
    EXPECT_EQ(crossing.parent, 0u);
    EXPECT_EQ(crossing.root, crossing.id);
    EXPECT_NE(crossing.tid, other.tid);
    EXPECT_EQ(other.tid, contents.process.pid);
    EXPECT_GT(crossing.end_ns, crossing.start_ns);
    EXPECT_EQ(contents.all("of a domain").size(), 2u);
    EXPECT_EQ(contents.loss.unbalanced_pops, 1u);
    EXPECT_EQ(contents.loss.open_ranges, 0u);
}

TEST(probe_ranges, threads_share_paths_and_keep_their_parents) {
    const Contents contents = TracedRun("threads").only_capture();
    expect_no_loss(contents);
    EXPECT_EQ(contents.nodes.size(), 2u);
    EXPECT_EQ(contents.all("step").size(), 4000u);
    std::map<std::uint64_t, std::uint32_t> tid_of_step;
    for (const capture::Range& step : contents.all("step")) {
        EXPECT_TRUE(tid_of_step.emplace(step.id, step.tid).second) << "an id came twice";
    }
    for (const capture::Range& norm : contents.all("step/norm")) {
        ASSERT_TRUE(tid_of_step.contains(norm.parent));
        EXPECT_EQ(tid_of_step[norm.parent], norm.tid);
    }
}

TEST(probe_ranges, threads_that_come_and_go_leave_no_memory_behind) {
    const TracedRun run("many_threads");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_TRUE(run.exited_with(0)) << run.said();
#endif
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.all("short life").size(), 1000u);
    EXPECT_EQ(contents.all("left open").size(), 1000u);
    EXPECT_EQ(contents.loss.open_ranges, 1000u);
    EXPECT_EQ(contents.loss.dropped, 0u);
}

TEST(probe_ranges, images_share_a_domain_by_name) {
    const TracedRun run("images");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    expect_no_loss(contents);
    const capture::Range whole = contents.only("whole");
    EXPECT_EQ(contents.only("whole/from a").parent, whole.id);
    EXPECT_EQ(contents.only("whole/from b").parent, whole.id);
}

TEST(probe_ranges, images_may_start_at_the_same_moment) {
    for (int turn = 0; turn < 10; ++turn) {
        const TracedRun run("concurrent_start");
        ASSERT_TRUE(run.exited_with(0));
        const Contents contents = run.only_capture();
        expect_no_loss(contents);
        contents.only("from a");
        contents.only("from b");
        contents.only("from main");
    }
}

TEST(probe_ranges, a_full_ring_drops_and_counts_exactly) {
    const Contents contents = TracedRun("flood", {{"TARE_PROBE_RING", "8"}}).only_capture();
    EXPECT_EQ(contents.ranges.size() + contents.loss.dropped, 1'000'000u);
    EXPECT_GT(contents.loss.dropped, 0u);
    EXPECT_GT(contents.ranges.size(), 0u);
    EXPECT_TRUE(contents.loss.finished);
}

TEST(probe_ranges, names_that_never_repeat_are_kept_apart) {
    const Contents contents = TracedRun("many_names").only_capture();
    EXPECT_EQ(contents.ranges.size() + contents.loss.dropped, 20'000u);
    contents.only("step 19999");
}

TEST(probe_ranges, a_signal_handler_may_make_ranges_in_the_middle_of_others) {
    const TracedRun run("interrupted", {{"TARE_PROBE_RING", "262144"}});
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_TRUE(contents.loss.finished);
    EXPECT_EQ(contents.loss.unbalanced_pops, 0u);
    EXPECT_EQ(contents.all("main").size(), 200'001u);
}

}  // namespace
}  // namespace probes

// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/blame.h"

#include <gtest/gtest.h>

namespace reports::compare {
namespace {

// `ns` of 8 rounds in each arm; nullopt: not in that arm.
KernelSeries kernel(const std::string& path,
                    const std::string& name,
                    std::optional<double> a_ns,
                    std::optional<double> b_ns,
                    const std::string& role = "gemm") {
    KernelSeries out{
        .phase = "prefill", .path = path, .family = path, .kernel = name, .role = role, .arms = {}};
    for (int round = 0; round < 8; ++round) {
        if (a_ns) out.arms["a"].push_back({round, 1, *a_ns + round});
        if (b_ns) out.arms["b"].push_back({round, 1, *b_ns + round});
    }
    return out;
}

const BlameRow& row(const Blame& blame, const std::string& path) {
    for (const BlameRow& one : blame.kernels)
        if (one.path == path) return one;
    static const BlameRow none;
    ADD_FAILURE() << "no row of " << path;
    return none;
}

TEST(Blame, the_largest_change_heads_the_table_with_its_interval) {
    const Blame blame =
        find_blame({kernel("p/x", "k", 100, 101), kernel("p/y", "k", 100, 180)}, "a", "b");
    ASSERT_EQ(blame.kernels.size(), 2u);
    EXPECT_EQ(blame.kernels[0].path, "p/y");
    EXPECT_DOUBLE_EQ(blame.kernels[0].delta_ns, 80);
    ASSERT_TRUE(blame.kernels[0].interval);
    EXPECT_GT(blame.kernels[0].interval->lo, 0);
    EXPECT_EQ(blame.kernels[0].match, Match::matched);
    ASSERT_EQ(blame.roles.size(), 1u);
    EXPECT_DOUBLE_EQ(blame.roles[0].delta_ns, 81);
}

TEST(Blame, swapping_the_arms_turns_every_sign) {
    const std::vector<KernelSeries> series = {kernel("p/x", "k", 100, 130),
                                              kernel("p/y", "k", 100, 90)};
    const Blame ab = find_blame(series, "a", "b"), ba = find_blame(series, "b", "a");
    for (const BlameRow& one : ab.kernels)
        EXPECT_DOUBLE_EQ(one.delta_ns, -row(ba, one.path).delta_ns) << one.path;
}

TEST(Blame, another_kernel_at_the_same_path_is_a_new_name_for_the_same_work) {
    const Blame blame =
        find_blame({kernel("p/x", "old", 100, {}), kernel("p/x", "new", {}, 70)}, "a", "b");
    ASSERT_EQ(blame.kernels.size(), 1u);
    EXPECT_EQ(blame.kernels[0].match, Match::renamed);
    EXPECT_EQ(blame.kernels[0].kernel, "old");
    EXPECT_EQ(blame.kernels[0].kernel_b, "new");
    EXPECT_DOUBLE_EQ(blame.kernels[0].delta_ns, -30);
}

TEST(Blame, one_kernel_that_became_two_is_split_and_two_that_became_one_are_fused) {
    const std::vector<KernelSeries> series = {kernel("p/x", "whole", 100, {}),
                                              kernel("p/x", "first", {}, 60),
                                              kernel("p/x", "second", {}, 50)};
    const Blame split = find_blame(series, "a", "b"), fused = find_blame(series, "b", "a");
    ASSERT_EQ(split.kernels.size(), 1u);
    EXPECT_EQ(split.kernels[0].match, Match::split);
    EXPECT_EQ(split.kernels[0].kernel_b, "first + second");
    // Both have the same offset by round: two of them stand for one.
    EXPECT_NEAR(split.kernels[0].delta_ns, 10 + 3.5, 1);
    ASSERT_EQ(fused.kernels.size(), 1u);
    EXPECT_EQ(fused.kernels[0].match, Match::fused);
}

TEST(Blame, what_only_one_arm_has_is_new_or_gone_and_counts_whole) {
    const Blame blame =
        find_blame({kernel("p/x", "k", 100, {}), kernel("p/y", "k", {}, 40)}, "a", "b");
    EXPECT_EQ(row(blame, "p/x").match, Match::gone);
    EXPECT_NEAR(row(blame, "p/x").delta_ns, -103.5, 1);
    EXPECT_EQ(row(blame, "p/y").match, Match::added);
    EXPECT_NEAR(row(blame, "p/y").delta_ns, 43.5, 1);
}

// In the order in which the processes ran them.
std::vector<KernelSeries> in_order(std::vector<KernelSeries> series) {
    for (std::size_t i = 0; i < series.size(); ++i)
        for (auto& [arm, values] : series[i].arms)
            for (KernelSeries::Value& value : values)
                value.first_seen = static_cast<std::int64_t>(i);
    return series;
}

TEST(Blame, kernels_of_a_path_are_aligned_in_the_order_they_ran_not_by_the_alphabet) {
    const Blame blame =
        find_blame(in_order({kernel("p/x", "z_old", 100, {}), kernel("p/x", "z_new", {}, 70),
                             kernel("p/x", "m", 10, 10), kernel("p/x", "a_added", {}, 40)}),
                   "a", "b");
    std::map<std::string, const BlameRow*> rows;
    for (const BlameRow& one : blame.kernels) rows[one.kernel] = &one;
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows.at("z_old")->match, Match::renamed);
    EXPECT_EQ(rows.at("z_old")->kernel_b, "z_new");
    EXPECT_DOUBLE_EQ(rows.at("z_old")->delta_ns, -30);
    EXPECT_EQ(rows.at("m")->match, Match::matched);
    EXPECT_EQ(rows.at("a_added")->match, Match::added);
    EXPECT_NEAR(rows.at("a_added")->delta_ns, 43.5, 1);
    ASSERT_EQ(blame.paths.size(), 1u) << "the path as a whole";
    EXPECT_NEAR(blame.paths[0].delta_ns, 10 + 3.5, 1);
}

TEST(Blame, a_kernel_launched_otherwise_is_one_line_with_both_shapes) {
    KernelSeries before = kernel("p/x", "k", 100, {}), after = kernel("p/x", "k", {}, 90);
    before.shape = "grid 1";
    after.shape = "grid 2";
    const Blame blame = find_blame(in_order({before, after}), "a", "b");
    ASSERT_EQ(blame.kernels.size(), 1u);
    EXPECT_EQ(blame.kernels[0].match, Match::matched);
    EXPECT_EQ(blame.kernels[0].shape, "grid 1");
    EXPECT_EQ(blame.kernels[0].shape_b, "grid 2");
    EXPECT_DOUBLE_EQ(blame.kernels[0].delta_ns, -10);
    EXPECT_TRUE(blame.paths.empty()) << "the line is the path";
}

TEST(Blame, a_kernel_that_some_rounds_of_an_arm_lack_is_told) {
    std::vector<KernelSeries> series = {kernel("p/x", "k", 100, 100), kernel("p/y", "k", 5, 5)};
    EXPECT_TRUE(find_blame(series, "a", "b").unsteady.empty());
    series[1].arms["b"].resize(3);
    const auto unsteady = find_blame(series, "a", "b").unsteady;
    ASSERT_EQ(unsteady.size(), 1u);
    EXPECT_EQ(unsteady[0].arm, "b");
    EXPECT_EQ(unsteady[0].path, "p/y");
    EXPECT_EQ(unsteady[0].seen, 3);
    EXPECT_EQ(unsteady[0].rounds, 8);
}

TEST(Blame, nothing_profiled_blames_nobody) {
    const Blame blame = find_blame({}, "a", "b");
    EXPECT_TRUE(blame.kernels.empty() && blame.roles.empty());
}

PhaseSeries phase(double a_ns, double b_ns, double a_gap, double b_gap) {
    PhaseSeries out{.phase = "prefill", .arms = {}};
    for (int round = 0; round < 8; ++round) {
        out.arms["a"].push_back({round, a_ns, a_ns - a_gap, a_ns - a_gap, a_gap, {}});
        out.arms["b"].push_back({round, b_ns, b_ns - b_gap, b_ns - b_gap, b_gap, {}});
    }
    return out;
}

MetricVerdict wall(double a_ns, double b_ns) {
    return {.name = "prefill.wall_ns",
            .unit = "ns",
            .a = Spread{a_ns, a_ns, a_ns, 8},
            .margin = 0.02,
            .a_rounds = std::vector<double>(8, a_ns),
            .b_rounds = std::vector<double>(8, b_ns)};
}

TEST(Waterfalls, parts_and_rest_add_up_to_the_timed_change) {
    const auto all = waterfalls({.kernels = {}, .phases = {phase(1000, 1100, 100, 150)}}, "a", "b",
                                {wall(1000, 1100)});
    ASSERT_EQ(all.size(), 1u);
    double sum = all[0].rest_ns;
    for (const Waterfall::Row& one : all[0].rows) sum += one.delta_ns;
    EXPECT_DOUBLE_EQ(sum, all[0].wall_ns);
    EXPECT_DOUBLE_EQ(all[0].wall_ns, 100);
    EXPECT_DOUBLE_EQ(all[0].rows[0].delta_ns, 50) << "kernels";
    EXPECT_FALSE(all[0].profiling_changed_the_answer);
}

TEST(Waterfalls, a_profile_that_shows_another_change_than_the_timer_blames_nobody) {
    const auto all = waterfalls({.kernels = {}, .phases = {phase(1000, 1000, 100, 100)}}, "a", "b",
                                {wall(1000, 1100)});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all[0].profiling_changed_the_answer);
}

}  // namespace
}  // namespace reports::compare

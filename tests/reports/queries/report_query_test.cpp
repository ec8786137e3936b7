// SPDX-License-Identifier: Apache-2.0
// A loaded report adds up, and says what is wrong with a run.
#include "reports/queries/report_query.h"

#include <gmock/gmock.h>

#include "tests/reports/queries/report_fixture.h"

namespace {

using reports::load_report;
using reports::Mode;
using reports::Report;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using tests::a_phase;
using tests::three_reps;

class report_query : public tests::ReportFixture {
  protected:
    void begin(int timed_rounds, int profiled_rounds) {
        auto plan = tests::a_plan();
        plan.timed_rounds = timed_rounds;
        plan.profiled_rounds = profiled_rounds;
        run_ = store_.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), plan);
        arm_ = store_.add_arm(run_, tests::an_arm(), tests::a_build(), tests::a_model());
    }
};

double sum(const std::vector<reports::KernelRow>& rows) {
    double total = 0;
    for (const auto& row : rows) total += row.total_ns->median;
    return total;
}

TEST_F(report_query, kernels_and_gap_add_up_to_the_wall_time) {
    const Report report = load_report(store_, fill());
    ASSERT_EQ(report.phases.size(), 2u);
    const auto& profiled = report.phases[1];
    ASSERT_EQ(profiled.mode, Mode::profiled);
    for (const auto* rows : {&report.roles, &report.ops, &report.kernels}) {
        EXPECT_EQ(sum(*rows) + profiled.gap_ns->median, profiled.wall_ns->median);
    }
    EXPECT_EQ(report.kernels.size(), 4u);
    EXPECT_EQ(report.ops.size(), 2u);
    EXPECT_EQ(report.ops[0].path, "prefill/layer.*.moe/experts.up");
}

TEST_F(report_query, profiled_numbers_are_those_of_the_median_rep) {
    const Report report = load_report(store_, fill());
    const auto& phase = report.phases[1];
    EXPECT_EQ(phase.wall_ns->median, 1'100'000);
    EXPECT_EQ(phase.wall_ns->min, 1'000'000);
    EXPECT_EQ(phase.wall_ns->max, 1'200'000);
    EXPECT_EQ(phase.wall_ns->n, 3);
    const auto& up = report.ops[0];
    EXPECT_EQ(up.calls->median, 2);
    EXPECT_EQ(up.total_ns->median, 550'000);
    EXPECT_EQ(up.total_ns->min, 500'000);
    EXPECT_EQ(up.total_ns->max, 600'000);
    EXPECT_DOUBLE_EQ(up.share->median, 0.5);
    EXPECT_EQ(up.min_ns, 250'000);
    EXPECT_EQ(up.max_ns, 350'000);
    EXPECT_NEAR(*up.p50_ns, 250'000, 250'000 / 64.0);
    EXPECT_EQ(up.bytes, 5e6);
    EXPECT_NEAR(*up.gb_per_s, 5e6 / 550'000, 1e-9);
    EXPECT_NEAR(*up.roof_share, 5e6 / 550e-6 / 2e10, 1e-9);
    EXPECT_EQ(up.roof_bound, "copy");
}

// Medians per trial: 1.0 and 1.8 ms, so 1.4. All six reps in one pot would say 1.5.
TEST_F(report_query, reps_of_a_trial_are_reduced_before_trials_are) {
    begin(2, 1);
    const auto reps = [](std::vector<std::int64_t> extra_ns) {
        std::vector<tests::PhaseSpec> out;
        for (std::size_t i = 0; i < extra_ns.size(); ++i) {
            out.push_back(tests::a_phase(static_cast<std::int64_t>(i)));
            out.back().duration_ns += extra_ns[i];
        }
        return out;
    };
    add_trial(Mode::timed, 0, reps({0, 0, 900'000}), {});
    add_trial(Mode::timed, 1, reps({200'000, 800'000, 1'800'000}), {});
    add_trial(Mode::profiled, 2, reps({0}), reps({0}));
    store_.finish_run(run_, "finished", "");
    const Report report = load_report(store_, run_);
    EXPECT_EQ(report.phases.at(0).wall_ns->median, 1'400'000);
    EXPECT_EQ(report.phases.at(0).wall_ns->n, 6);
    EXPECT_EQ(report.profiling_cost.at(0).timed_wall_ns->median, 1'400'000);
}

TEST_F(report_query, timed_numbers_are_medians_with_the_spread_of_all_reps) {
    const Report report = load_report(store_, fill());
    const auto& timed = report.phases[0];
    EXPECT_EQ(timed.mode, Mode::timed);
    EXPECT_EQ(timed.rounds, 2);
    EXPECT_EQ(timed.wall_ns->n, 6);
    EXPECT_EQ(timed.wall_ns->median, 1'103'500);
    EXPECT_EQ(timed.busy_ns, std::nullopt);
    EXPECT_EQ(timed.timer, "monotonic_raw");
    EXPECT_TRUE(timed.tokens_per_s);
}

TEST_F(report_query, planned_rounds_that_are_valid_make_a_valid_run) {
    const Report report = load_report(store_, fill());
    EXPECT_TRUE(report.valid);  // the broken fourth trial is one more than the plan asked for
    EXPECT_THAT(report.reasons, Contains(AllOf(HasSubstr("trial 4"), HasSubstr("(c)"))));
    EXPECT_EQ(report.output_sha256, report.outputs.at(0).sha256);
    EXPECT_EQ(report.cold_start_ns->median, 300'000'000);
}

TEST_F(report_query, run_without_enough_valid_trials_is_invalid_but_shown) {
    begin(1, 1);
    auto said = a_phase();
    said.duration_ns += 40'000;
    add_trial(Mode::profiled, 0, {said}, {a_phase()});
    const Report report = load_report(store_, run_);
    EXPECT_FALSE(report.valid);
    EXPECT_THAT(report.reasons, AllOf(Contains("0 of 1 planned timed rounds are valid"),
                                      Contains("0 of 1 planned profiled rounds are valid"),
                                      Contains(HasSubstr("(e)"))));
    ASSERT_EQ(report.phases.size(), 1u);
    EXPECT_FALSE(report.phases[0].valid);
    EXPECT_THAT(report.phases[0].reason, HasSubstr("(e)"));
    EXPECT_NEAR(*report.phases[0].integrity.timer_disagreement_share, 0.04 / 1.04, 1e-9);
    EXPECT_EQ(report.kernels.size(), 4u);
}

TEST_F(report_query, identity_that_does_not_hold_makes_the_run_invalid) {
    begin(1, 0);
    const auto id = store_.begin_trial(run_, arm_, tests::a_trial());
    auto lines = tests::engine_lines({a_phase()});
    lines.replace(lines.find("\"expert_rows_done\":99"), 21, "\"expert_rows_done\":98");
    tests::write_file(store_.raw_folder(run_) / fmt::format("{}.lines", id), lines);
    store_.finish_trial(id, tests::a_trial());
    reports::ingest::ingest_trial(store_, id);
    const Report report = load_report(store_, run_);
    EXPECT_FALSE(report.valid);
    EXPECT_THAT(report.reasons, Contains(HasSubstr("prefill.expert_rows: 99 expected, 98 seen")));
}

TEST_F(report_query, kernel_that_is_not_in_every_rep_has_no_time_in_the_others) {
    begin(0, 1);
    auto reps = three_reps();
    reps[0].ops.pop_back();
    add_trial(Mode::profiled, 0, reps, reps);
    const Report report = load_report(store_, run_);
    EXPECT_EQ(report.kernels[0].path, "prefill/layer.01.moe/experts.up");
    EXPECT_EQ(report.kernels[0].total_ns->min, 0);
    EXPECT_EQ(report.kernels[0].calls->min, 0);
}

TEST_F(report_query, interrupted_run_without_trials_is_shown) {
    begin(3, 1);
    const Report report = load_report(store_, run_);
    EXPECT_EQ(report.run.status, "running");
    EXPECT_FALSE(report.valid);
    EXPECT_TRUE(report.phases.empty());
    EXPECT_EQ(report.plan.seed, tests::a_plan().seed);
    EXPECT_EQ(report.output_sha256, std::nullopt);
}

TEST_F(report_query, missing_run_is_an_error) {
    EXPECT_THROW(load_report(store_, 5), reports::StoreError);
}

TEST_F(report_query, read_only_store_can_be_reported) {
    const auto run = fill();
    const reports::Store reader(folder_.path(), reports::Store::Access::read_only);
    EXPECT_EQ(load_report(reader, run).kernels.size(), 4u);
}

}  // namespace

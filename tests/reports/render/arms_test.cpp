// SPDX-License-Identifier: Apache-2.0
// What is drawn of a run with several arms, and of losses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reports/queries/report_query.h"
#include "reports/render/render.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using nlohmann::json;
using reports::Mode;
using reports::Report;
using reports::render::Format;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class arms : public tests::ReportFixture {
  protected:
    // Arm "a" is as known from fill(), arm "b" takes 100 us longer in its last op and says another
    // token.
    Report loaded() {
        auto plan = tests::a_plan();
        plan.timed_rounds = 1;
        plan.profiled_rounds = 1;
        run_ = store_.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), plan);
        add_arm("a", 0);
        add_arm("b", 100'000);
        store_.finish_run(run_, "finished", "");
        return reports::load_report(store_, run_);
    }

    void add_arm(const std::string& name, std::int64_t extra_ns) {
        auto arm = tests::an_arm();
        arm.name = name;
        arm_ = store_.add_arm(run_, arm, tests::a_build(), tests::a_model());
        auto phase = tests::a_phase();
        phase.duration_ns += extra_ns;
        phase.ops.back().end_ns += extra_ns;
        add_trial(Mode::timed, 0, {phase}, {});
        add_trial(Mode::profiled, 1, {phase}, {phase});
    }
};

std::string drawn(const Report& report, Format format) {
    return reports::render::report(report, {.format = format, .width = 160});
}

TEST_F(arms, of_a_run_are_read_apart) {
    const Report report = loaded();
    ASSERT_EQ(report.other_arms.size(), 1u);
    EXPECT_EQ(report.arm.name, "a");
    EXPECT_EQ(report.other_arms[0].arm.name, "b");
    EXPECT_EQ(report.phases[0].wall_ns->median, 1'000'000);
    EXPECT_EQ(report.other_arms[0].phases[0].wall_ns->median, 1'100'000);
    EXPECT_EQ(report.trials.size(), 2u);
    EXPECT_EQ(report.roles[0].total_ns->median + 100'000,
              report.other_arms[0].roles[0].total_ns->median);
    EXPECT_EQ(reports::load_arm_report(store_, run_, "b").phases[0].wall_ns->median, 1'100'000);
    EXPECT_THROW(reports::load_arm_report(store_, run_, "c"), reports::NoSuchArm);
}

TEST_F(arms, stand_side_by_side) {
    const std::string table = drawn(loaded(), Format::table);
    EXPECT_THAT(table,
                AllOf(HasSubstr("arm a"), HasSubstr("arm b"), HasSubstr("its arms side by side"),
                      HasSubstr("b / a"), HasSubstr("1.1000"), HasSubstr("prefill/expert_gemm"),
                      HasSubstr("100.0 µs"), HasSubstr("identical")));
}

TEST_F(arms, of_json_have_their_own_figures_and_the_first_is_at_the_top) {
    const json object = json::parse(drawn(loaded(), Format::json));
    ASSERT_EQ(object["arms"].size(), 2u);
    EXPECT_EQ(object["phases"], object["arms"][0]["phases"]);
    EXPECT_EQ(object["arms"][1]["name"], "b");
    EXPECT_EQ(object["arms"][1]["phases"][0]["wall_ns"], 1'100'000);
    EXPECT_EQ(object["run"]["trials"].size(), 4u);
    EXPECT_EQ(object["run"]["trials"][2]["arm"], "b");
}

TEST_F(arms, one_that_is_invalid_makes_the_run_invalid_and_no_other_arm) {
    Report report = loaded();
    report.other_arms[0].valid = false;
    report.other_arms[0].reasons = {"lost"};
    EXPECT_FALSE(reports::run_is_valid(report));
    EXPECT_THAT(reports::run_reasons(report), testing::ElementsAre("arm b: lost"));
    const json object = json::parse(drawn(report, Format::json));
    EXPECT_EQ(object["run"]["valid"], false);
    EXPECT_EQ(object["arms"][0]["valid"], true);
    EXPECT_THAT(drawn(report, Format::table), HasSubstr("! arm b: lost"));
}

TEST_F(arms, single_one_is_not_spoken_of) {
    fill();
    const Report report = reports::load_report(store_, run_);
    EXPECT_THAT(drawn(report, Format::table), Not(HasSubstr("arm a")));
    EXPECT_FALSE(json::parse(drawn(report, Format::json)).contains("arms"));
}

TEST_F(arms, losses_are_drawn_with_their_mean) {
    const Report report = loaded();
    EXPECT_DOUBLE_EQ(*report.mean_loss, (2.1875 + 0.25) / 2);
    EXPECT_THAT(drawn(report, Format::table),
                AllOf(HasSubstr("Losses (negative log likelihood"), HasSubstr("2.187500"),
                      HasSubstr("mean of the texts"), HasSubstr("1.218750")));
    EXPECT_THAT(drawn(report, Format::markdown), HasSubstr("mean of the texts"));
    EXPECT_THAT(drawn(report, Format::csv), HasSubstr(",score,b,(loss),(loss),"));
    const json object = json::parse(drawn(report, Format::json));
    EXPECT_EQ(object["losses"][1]["name"], "b");
    EXPECT_EQ(object["loss_mean"], 1.21875);
}

TEST_F(arms, declared_difference_is_told_with_its_factor_and_is_no_breach) {
    Report report = loaded();
    report.identities = {{.name = "rows", .expected = 12, .seen = 96, .must_hold = false}};
    EXPECT_THAT(drawn(report, Format::table), HasSubstr("no (8.00×)"));
    report.identities[0].must_hold = true;
    EXPECT_THAT(drawn(report, Format::table), AllOf(HasSubstr("NO"), Not(HasSubstr("8.00"))));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "reports/export/select.h"

#include <gmock/gmock.h>

namespace {

using namespace reports;
using exports::select;
using testing::ElementsAre;
using testing::HasSubstr;

TrialRow row(Id id, Mode mode, bool valid) {
    return {.id = id, .trial = {.mode = mode, .valid = valid, .exit_raw_ns = 5}};
}

std::vector<Id> ids(const exports::Selected& selected) {
    std::vector<Id> out;
    for (const TrialRow& one : selected.trials) out.push_back(one.id);
    return out;
}

std::string refusal(const Report& report, const exports::Selection& selection) {
    try {
        select(report, selection);
    } catch (const exports::SelectionError& error) {
        return error.what();
    }
    return {};
}

Report a_report() {
    Report report;
    report.run.id = 7;
    report.trials = {row(1, Mode::timed, true), row(2, Mode::profiled, true),
                     row(3, Mode::profiled, false), row(4, Mode::profiled, true)};
    return report;
}

TEST(select, takes_the_valid_profiled_trials_and_says_what_it_leaves_out) {
    const auto selected = select(a_report(), {});
    EXPECT_THAT(ids(selected), ElementsAre(2, 4));
    EXPECT_THAT(selected.notes, ElementsAre(HasSubstr("trial 3 is left out")));
    EXPECT_THAT(ids(select(a_report(), {.trial = {}, .mode = Mode::timed})), ElementsAre(1));
}

TEST(select, takes_one_trial_by_number_also_an_invalid_one) {
    EXPECT_THAT(ids(select(a_report(), {.trial = 3, .mode = {}})), ElementsAre(3));
    EXPECT_THAT(refusal(a_report(), {.trial = 9, .mode = {}}),
                HasSubstr("run 7 has no trial 9; it has: 1 (timed), 2 (profiled)"));
}

TEST(select, takes_invalid_trials_where_none_is_valid) {
    Report report = a_report();
    for (TrialRow& one : report.trials) one.trial.valid = false;
    EXPECT_THAT(ids(select(report, {})), ElementsAre(2, 3, 4));
}

TEST(select, knows_the_trials_of_every_arm) {
    Report report = a_report();
    report.arm.name = "a";
    Report other;
    other.arm.name = "b";
    other.trials = {row(5, Mode::profiled, true), row(0, Mode::profiled, true)};
    report.other_arms = {other};
    EXPECT_THAT(ids(select(report, {})), ElementsAre(0, 2, 4, 5));
    EXPECT_EQ(exports::arm_of(report, 5).arm.name, "b");
    EXPECT_EQ(exports::arm_of(report, 4).arm.name, "a");
}

TEST(select, refuses_a_run_without_such_trials_and_a_trial_that_has_not_ended) {
    Report report = a_report();
    report.trials.resize(1);
    EXPECT_THAT(refusal(report, {}), HasSubstr("run 7 has no profiled trial"));
    report.trials[0].trial.exit_raw_ns = 0;
    EXPECT_THAT(refusal(report, {.trial = 1, .mode = {}}), HasSubstr("has not ended"));
    report.trials.clear();
    EXPECT_THAT(refusal(report, {}), HasSubstr("it has: none"));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// What a gate says of a run that differs from its baseline, and which exit code follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baselines/gate/exact.h"
#include "baselines/gate/words.h"

namespace {

using namespace baselines;
using testing::HasSubstr;

reports::Report a_report() {
    reports::Report out;
    out.run.id = 7;
    out.run.backend = "cpu";
    out.scenario.name = "tiny";
    out.scenario.sha256 = "aaaa";
    out.model.sha256 = "bbbb";
    out.build.commit = "cccc";
    out.arm.name = "a";
    reports::TrialRow row;
    row.trial.valid = true;
    out.trials.push_back(row);
    out.counts = {{"decode.ops", 640, "1", true},
                  {"state_bytes", 1.5e12, "bytes", true},
                  {"peak_bytes", 123, "bytes", false}};
    out.outputs = {{0, {4, 5, 6}, {1.25, 0.5, 2}, "dd", 2}};
    out.losses = {{0, "prose", 3, 6.000000001, 2.0000000003, "ee", 2}};
    return out;
}

Check only(const std::vector<Check>& checks) {
    EXPECT_EQ(checks.size(), 1u);
    return checks.empty() ? Check{} : checks[0];
}

TEST(Baseline, comes_back_from_its_text_as_it_was) {
    Baseline before = baseline_of(a_report());
    before.accepted = {{"2026-01-02T03:04:05Z", "cccc", true, "said \"so\"\n", {"one", "two"}}};
    const std::string text = to_text(before);
    const Baseline after = parse_baseline(text);
    EXPECT_EQ(to_text(after), text);
    EXPECT_EQ(after.accepted[0].reason, "said \"so\"\n");
    EXPECT_EQ(after.accepted[0].changes, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(after.arms[0].losses[0].nll_mean, 2.0000000003);
    EXPECT_TRUE(changes(before, after).empty());
}

TEST(Baseline, holds_no_count_that_varies) {
    const Baseline baseline = baseline_of(a_report());
    ASSERT_EQ(baseline.arms[0].counts.size(), 2u);
    EXPECT_EQ(baseline.arms[0].counts[1].value, 1.5e12);
}

TEST(Baseline, text_that_is_none_is_refused) {
    const std::string good = to_text(baseline_of(a_report()));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), std::string("null"),
          good.substr(0, good.size() / 2), with("tare.baseline/1", "tare.baseline/9"),
          with("640", "\"640\""), with("\"outputs\": [", "\"outputs\": 1, \"x\": [")})
        EXPECT_THROW(parse_baseline(text), BaselineError) << text;
}

TEST(Baseline, that_could_never_fail_is_refused) {
    Baseline empty = baseline_of(a_report());
    empty.arms[0] = {.name = "a", .counts = {}, .outputs = {}, .losses = {}};
    EXPECT_THROW(parse_baseline(to_text(empty)), BaselineError);
    empty.arms.clear();
    EXPECT_THROW(parse_baseline(to_text(empty)), BaselineError);
}

TEST(Gate, equal_run_passes) {
    const Baseline baseline = baseline_of(a_report());
    EXPECT_EQ(only(check_counts(baseline, a_report())).outcome, Outcome::passed);
    EXPECT_EQ(only(check_tokens(baseline, a_report())).outcome, Outcome::passed);
    EXPECT_EQ(why_not_comparable(baseline, a_report()), "");
}

TEST(Gate, count_that_changed_went_or_came_is_a_regression_with_both_values) {
    const Baseline baseline = baseline_of(a_report());
    reports::Report now = a_report();
    now.counts[0].value = 641;
    Check seen = only(check_counts(baseline, now));
    EXPECT_EQ(seen.outcome, Outcome::regressed);
    EXPECT_EQ(seen.reasons[0], "decode.ops: 640 before, 641 now");
    now = a_report();
    now.counts.erase(now.counts.begin());
    seen = only(check_counts(baseline, now));
    EXPECT_EQ(seen.outcome, Outcome::regressed);
    EXPECT_THAT(seen.reasons[0], HasSubstr("not there now"));
    now = a_report();
    now.counts.push_back({"decode.calls.new_kernel", 3, "1", true});
    EXPECT_EQ(only(check_counts(baseline, now)).reasons[0], "decode.calls.new_kernel: new, 3 now");
    now = a_report();
    now.counts[0].exact = false;
    seen = only(check_counts(baseline, now));
    EXPECT_EQ(seen.outcome, Outcome::regressed);
    EXPECT_THAT(seen.reasons[0], HasSubstr("from trial to trial"));
}

TEST(Gate, count_that_a_lost_profile_did_not_take_is_invalid_and_no_regression) {
    const Baseline baseline = baseline_of(a_report());
    reports::Report now = a_report();
    now.counts.erase(now.counts.begin());
    now.valid = false;
    now.reasons = {"records were lost"};
    Check seen = only(check_counts(baseline, now));
    EXPECT_EQ(seen.outcome, Outcome::invalid);
    EXPECT_EQ(seen.reasons[0], "records were lost");
    now.counts[0].value = 2;  // but a value that was taken and differs is one
    EXPECT_EQ(only(check_counts(baseline, now)).outcome, Outcome::regressed);
    now.trials[0].trial.valid = false;
    EXPECT_EQ(only(check_counts(baseline, now)).outcome, Outcome::invalid);
    EXPECT_EQ(only(check_tokens(baseline, now)).outcome, Outcome::invalid);
}

TEST(Gate, flipped_token_is_a_regression_with_its_place_and_margin) {
    reports::Report now = a_report();
    now.outputs[0].tokens[1] = 9;
    const Check seen = only(check_tokens(baseline_of(a_report()), now));
    EXPECT_EQ(seen.outcome, Outcome::regressed);
    EXPECT_THAT(seen.reasons[0],
                HasSubstr("request 0, position 1: 5 in the baseline, 9 in this run"));
    EXPECT_THAT(seen.reasons[0], HasSubstr("0.5 logits"));
}

TEST(Gate, run_that_disagrees_with_itself_is_a_regression) {
    reports::Report now = a_report();
    now.outputs.push_back(now.outputs[0]);
    now.outputs[1].tokens[2] = 8;
    const Check seen = only(check_tokens(baseline_of(a_report()), now));
    EXPECT_EQ(seen.outcome, Outcome::regressed);
    EXPECT_THAT(seen.reasons[0], HasSubstr("no longer repeats"));
}

TEST(Gate, tokens_and_losses_that_went_or_changed_are_regressions) {
    const Baseline baseline = baseline_of(a_report());
    reports::Report now = a_report();
    now.outputs.clear();
    EXPECT_EQ(only(check_tokens(baseline, now)).outcome, Outcome::regressed);
    now = a_report();
    now.losses[0].sha256 = "ff";
    EXPECT_THAT(only(check_tokens(baseline, now)).reasons[0], HasSubstr("loss of text 0 (prose)"));
    now.losses.clear();
    EXPECT_EQ(only(check_tokens(baseline, now)).outcome, Outcome::regressed);
}

TEST(Gate, arm_that_only_one_side_has_is_invalid) {
    reports::Report now = a_report();
    now.arm.name = "b";
    const auto checks = check_counts(baseline_of(a_report()), now);
    ASSERT_EQ(checks.size(), 2u);
    EXPECT_EQ(checks[0].outcome, Outcome::invalid);
    EXPECT_EQ(checks[1].outcome, Outcome::invalid);
}

TEST(Gate, run_of_something_else_is_not_compared) {
    const Baseline baseline = baseline_of(a_report());
    reports::Report now = a_report();
    now.scenario.sha256 = "other";
    EXPECT_THAT(why_not_comparable(baseline, now), HasSubstr("text of the scenario"));
    now = a_report();
    now.model.sha256 = "other";
    EXPECT_THAT(why_not_comparable(baseline, now), HasSubstr("another model"));
    now = a_report();
    now.run.backend = "cuda";
    EXPECT_THAT(why_not_comparable(baseline, now), HasSubstr("another backend"));
}

GateVerdict with(std::vector<Check> checks) {
    GateVerdict out;
    out.scenario = "tiny";
    out.checks = std::move(checks);
    return out;
}

Check check(const std::string& name, Outcome outcome) {
    return {name, "", outcome, {"x"}};
}

TEST(Gate, exit_code_puts_an_exact_regression_first_then_invalid_regressed_inconclusive) {
    const Check pass = check("counts", Outcome::passed), flip = check("tokens", Outcome::regressed);
    const Check skip = check("timings", Outcome::not_checked);
    const Check broken = check("timings", Outcome::invalid);
    const Check slow = check("timings", Outcome::regressed);
    const Check open = check("timings", Outcome::inconclusive);
    EXPECT_EQ(exit_code(with({pass})), 0);
    EXPECT_EQ(exit_code(with({pass, skip})), 0);
    EXPECT_EQ(exit_code(with({skip})), 4) << "nothing was checked";
    EXPECT_EQ(exit_code(with({})), 4);
    EXPECT_EQ(exit_code(with({pass, open})), 3);
    EXPECT_EQ(exit_code(with({pass, open, slow})), 1);
    EXPECT_EQ(exit_code(with({slow, broken})), 4);
    EXPECT_EQ(exit_code(with({flip, broken})), 1);
    EXPECT_EQ(exit_code(std::vector{with({pass}), with({broken})}), 4);
    EXPECT_EQ(exit_code(std::vector{with({broken}), with({flip})}), 1);
    EXPECT_EQ(exit_code(std::vector<GateVerdict>{}), 4);
}

TEST(Gate, every_format_has_every_reason) {
    const std::vector<GateVerdict> verdicts = {
        with({{"counts", "a", Outcome::regressed, {"one & two", "three"}},
              {"tokens", "a", Outcome::passed, {"four"}}})};
    for (const Format format : {Format::table, Format::markdown, Format::json, Format::github}) {
        const std::string text = to_text(verdicts, {.format = format});
        EXPECT_THAT(text, HasSubstr("one & two"));
        EXPECT_THAT(text, HasSubstr("three"));
        EXPECT_THAT(text, HasSubstr("regressed"));
    }
    const std::string xml = to_text(verdicts, {.format = Format::junit});
    EXPECT_THAT(xml, HasSubstr("failures=\"1\""));
    EXPECT_THAT(xml, HasSubstr("one &amp; two; three"));
}

}  // namespace

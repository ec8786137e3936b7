// SPDX-License-Identifier: Apache-2.0
// Baselines of timings as text, what may become one, and what a gate says of samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baselines/gate/timing_checks.h"
#include "baselines/gate/timings.h"

namespace {

using namespace baselines;
using reports::Verdict;
using reports::compare::TimedSamples;
using testing::HasSubstr;

const std::string hash(40, 'a');

reports::Report a_report() {
    reports::Report out;
    out.run.backend = "cpu";
    out.run.suite_commit = "5u17e";
    out.scenario.name = "tiny";
    out.scenario.sha256 = "aaaa";
    out.machine = {.machine_class = "quiet-2c", .cpu_model = "A \"CPU\"", .cores = 2};
    out.build.commit = hash;
    out.build.binary_sha256 = "bbbb";
    out.arm.name = "a";
    out.conditions = {{.name = "load_1m", .value = 0.25, .unit = "processes"}};
    reports::TrialRow row;
    row.trial.valid = true;
    out.trials.push_back(row);
    out.counts = {{"launches", 640, "1", true}, {"peak_bytes", 123, "bytes", false}};
    return out;
}

std::vector<TimedSamples> samples(double scale, int n = 12) {
    TimedSamples out{
        .arm = "a", .key = "decode_wall_ns", .name = "decode.wall_ns", .unit = "ns", .values = {}};
    for (int i = 0; i < n; ++i) out.values.push_back(scale * (1e6 + 100.0 / 3 * i));
    return {out};
}

const Margins margins = {{"decode_wall_ns", 0.02}};

TimingBaseline a_baseline(double scale = 1) {
    return timings_of(a_report(), samples(scale), margins, std::nullopt);
}

TEST(Timings, come_back_from_their_text_as_they_were) {
    TimingBaseline before = a_baseline();
    before.calibration = UsedCalibration{"2026-01-01T00:00:00Z", 24, {{"decode_wall_ns", 0.01}}};
    before.accepted = {{"2026-01-02T03:04:05Z",
                        hash,
                        "said \"so\"\n",
                        {"one"},
                        {{"a", "decode_wall_ns", "ns", 1, 1.0 / 3}}}};
    const std::string text = to_text(before);
    const TimingBaseline after = parse_timings(text);
    EXPECT_EQ(to_text(after), text);
    EXPECT_EQ(after.arms[0].timings[0].samples, before.arms[0].timings[0].samples);
    EXPECT_EQ(after.accepted[0].regressions[0].to, 1.0 / 3);
    EXPECT_EQ(to_text(a_baseline()), to_text(a_baseline()));
}

TEST(Timings, metrics_without_a_margin_are_left_out) {
    EXPECT_TRUE(
        timings_of(a_report(), samples(1), {{"prefill_wall_ns", 0.1}}, {}).arms[0].timings.empty());
    EXPECT_THROW(parse_timings(to_text(timings_of(a_report(), samples(1), {}, {}))), BaselineError)
        << "nothing to check";
}

TEST(Timings, only_a_clean_commit_can_be_a_baseline) {
    EXPECT_EQ(why_no_baseline(hash, false), "");
    EXPECT_THAT(why_no_baseline(hash, true), HasSubstr("in no commit"));
    EXPECT_THAT(why_no_baseline(std::nullopt, false), HasSubstr("which commit"));
    for (const std::string& bad : {std::string("main"), hash + "a", std::string(40, 'G'),
                                   "--output=" + std::string(31, 'a')})
        EXPECT_THAT(why_no_baseline(bad, false), HasSubstr("no full commit hash")) << bad;
}

TEST(Timings, of_something_else_are_not_compared) {
    const TimingBaseline baseline = a_baseline();
    EXPECT_EQ(why_not_comparable(baseline, {"tiny", "aaaa", "cpu", "quiet-2c"}), "");
    EXPECT_THAT(why_not_comparable(baseline, {"tiny", "aaaa", "cpu", "loud-2c"}),
                HasSubstr("machine class"));
    EXPECT_THAT(why_not_comparable(baseline, {"tiny", "aaab", "cpu", "quiet-2c"}),
                HasSubstr("text of the scenario"));
    EXPECT_THAT(why_not_comparable(baseline, {"tiny", "aaaa", "cuda", "quiet-2c"}),
                HasSubstr("backend"));
}

TEST(Timings, stored_samples_give_each_verdict) {
    const TimingBaseline baseline = a_baseline();
    const auto check = [&](double scale, int n = 12) {
        const auto all = stored_checks(baseline, samples(scale, n), margins, 7);
        EXPECT_EQ(all.size(), 1u);
        return all.at(0);
    };
    EXPECT_EQ(check(1).outcome, Outcome::passed);
    EXPECT_EQ(check(1.1).outcome, Outcome::regressed);
    EXPECT_NEAR(*check(1.1).timing->ratio, 1.1, 1e-6);
    EXPECT_EQ(check(0.9).outcome, Outcome::passed);
    EXPECT_EQ(check(0.9).timing->verdict, Verdict::improved);
    EXPECT_EQ(check(1, 1).outcome, Outcome::inconclusive);
    EXPECT_THAT(check(1.1).timing->against, HasSubstr("weaker"));
    EXPECT_FALSE(check(1).exact());
}

TEST(Timings, of_which_one_side_lacks_samples_or_has_another_unit_are_invalid) {
    const TimingBaseline baseline = a_baseline();
    EXPECT_EQ(stored_checks(baseline, samples(1), {{"cold_start_ns", 0.1}}, 7).at(0).outcome,
              Outcome::invalid);
    auto other = samples(1);
    other[0].unit = "s";
    EXPECT_EQ(stored_checks(baseline, other, margins, 7).at(0).outcome, Outcome::invalid);
    other[0].unit = "ns";
    other[0].values.at(3) = 0;
    EXPECT_EQ(stored_checks(baseline, other, margins, 7).at(0).outcome, Outcome::inconclusive);
}

TEST(Timings, a_metric_that_is_better_when_higher_regresses_when_it_falls) {
    auto then = samples(1), now = samples(0.9);
    then[0].direction = now[0].direction = reports::Direction::higher;
    const auto baseline = timings_of(a_report(), then, margins, {});
    const auto check = stored_checks(baseline, now, margins, 7).at(0);
    EXPECT_EQ(check.outcome, Outcome::regressed);
    EXPECT_NEAR(*check.timing->ratio, 0.9, 1e-6);
    EXPECT_LT(check.timing->interval->lo, check.timing->interval->hi);
}

TEST(Timings, accepted_changes_name_regressions_with_both_medians) {
    TimingAcceptance acceptance;
    add_changes(a_baseline(1), a_baseline(1.1), acceptance);
    ASSERT_EQ(acceptance.regressions.size(), 1u);
    EXPECT_LT(acceptance.regressions[0].from, acceptance.regressions[0].to);
    EXPECT_THAT(acceptance.changes.at(0), HasSubstr("regressed"));
    TimingAcceptance better;
    add_changes(a_baseline(1), a_baseline(0.9), better);
    EXPECT_TRUE(better.regressions.empty());
    EXPECT_THAT(better.changes.at(0), HasSubstr("improved"));
    TimingBaseline other = a_baseline(1);
    other.scenario_sha256 = "aaab";
    TimingAcceptance incomparable;
    add_changes(other, a_baseline(1.1), incomparable);
    EXPECT_TRUE(incomparable.regressions.empty()) << "different scenarios are never compared";
    EXPECT_THAT(incomparable.changes.at(0), HasSubstr("not compared"));
}

// On a CPU exact counts hold on every machine and stand in any/; elsewhere they are of the class.
TEST(Timings, hold_the_exact_counts_of_a_backend_whose_counts_depend_on_the_machine) {
    EXPECT_TRUE(a_baseline().arms[0].counts.empty());
    EXPECT_TRUE(class_count_checks(a_baseline(), a_report()).empty());
    reports::Report report = a_report();
    report.run.backend = "cuda";
    const auto text = to_text(timings_of(report, samples(1), margins, {}));
    const TimingBaseline baseline = parse_timings(text);
    ASSERT_EQ(baseline.arms[0].counts.size(), 1u);
    EXPECT_EQ(class_count_checks(baseline, report).at(0).outcome, Outcome::passed);
    report.counts[0].value = 641;
    EXPECT_EQ(class_count_checks(baseline, report).at(0).outcome, Outcome::regressed);
}

}  // namespace

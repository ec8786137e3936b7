// SPDX-License-Identifier: Apache-2.0
// A comparison in words and tables, as recorded beside this file. TARE_UPDATE_GOLDEN=1 writes them
// anew; read the difference before it is committed.
#include <gmock/gmock.h>

#include <cstdlib>

#include "reports/render/metric_words.h"
#include "reports/render/verdict.h"
#include "reports/render/verdict_text.h"
#include "tests/reports/render/comparison_fixture.h"
#include "tests/reports/store/fixture.h"

namespace {

using reports::ComparisonReport;
using reports::Match;
using reports::Verdict;
using reports::render::verdict_words;
using testing::HasSubstr;
using testing::Not;

void expect_golden(const std::string& seen, const char* name) {
    const auto file = std::filesystem::path(TARE_SOURCE_DIR) / "tests/reports/render" / name;
    if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr) tests::write_file(file, seen);
    EXPECT_EQ(seen, tests::read_file(file)) << file;
}

ComparisonReport renamed_comparison() {
    ComparisonReport report = tests::a_comparison();
    report.pairs[0].kernels[1].match = Match::renamed;
    report.pairs[0].kernels[1].kernel_b = "faster_kernel";
    report.pairs[0].paths = {tests::a_change("prefill/layer.*.mlp/down", "", -1'500)};
    report.pairs[0].unsteady = {{"new", "prefill/layer.01.mlp/down", "faster_kernel", 7, 8}};
    return report;
}

TEST(verdict_golden, words_are_those_recorded) {
    expect_golden(verdict_words(tests::a_comparison(), 100), "explain.txt");
}

TEST(verdict_golden, tables_are_those_recorded) {
    const auto drawn = [](reports::render::VerdictFormat format) {
        return reports::render::verdict(renamed_comparison(), {.format = format, .width = 120});
    };
    expect_golden(drawn(reports::render::VerdictFormat::table), "verdict.txt");
    expect_golden(drawn(reports::render::VerdictFormat::markdown), "verdict.md");
}

TEST(explain, says_nothing_of_blame_where_nothing_changed) {
    ComparisonReport report = tests::a_comparison();
    report.verdict = report.pairs[0].verdict = Verdict::same;
    report.pairs[0].metrics[1].verdict = Verdict::same;
    const std::string text = verdict_words(report, 100);
    EXPECT_THAT(text, Not(HasSubstr("blame")));
    EXPECT_THAT(text, HasSubstr("this change may go on"));
}

TEST(explain, blames_the_phase_that_decided_and_leaves_out_what_is_beside_the_point) {
    ComparisonReport report = tests::a_comparison();
    auto& pair = report.pairs[0];
    pair.waterfalls.insert(pair.waterfalls.begin(), {.phase = "decode", .wall_ns = 5});
    pair.kernels.push_back(tests::a_change("prefill/tiny", "tiny_kernel", 500));
    pair.kernels.push_back(tests::a_change("decode/other", "decode_kernel", 95'000));
    pair.kernels.back().phase = "decode";
    const std::string text = verdict_words(report, 200);
    EXPECT_THAT(text, HasSubstr("matmul_kernel at prefill/layer.*.mlp/up: +90.00 µs, 90 % of it"));
    EXPECT_THAT(text, HasSubstr("gap.host (no kernel ran: other work of the host): +10.00 µs"));
    for (const char* other : {"tiny_kernel", "decode_kernel", "other_kernel"})
        EXPECT_THAT(text, Not(HasSubstr(other)));
    pair.waterfalls[1].profiling_changed_the_answer = true;
    EXPECT_THAT(verdict_words(report, 200), HasSubstr("blame     nobody"));
    pair.kernels.clear();
    EXPECT_THAT(verdict_words(report, 200), HasSubstr("no profiled rounds were run"));
}

TEST(explain, what_must_be_equal_and_is_not_comes_with_its_place) {
    ComparisonReport report = tests::a_comparison();
    report.pairs[0].exact_regressed = true;
    report.pairs[0].reasons = {"tokens differ first at request 2"};
    report.pairs[0].counts[0].b = 5;
    report.pairs[0].counts[0].equal = false;
    const std::string text = verdict_words(report, 200);
    EXPECT_THAT(text, HasSubstr("what must be equal is not"));
    EXPECT_THAT(text, HasSubstr("why       tokens differ first at request 2"));
    EXPECT_THAT(text, HasSubstr("ops 4 -> 5, which must be equal"));
}

TEST(metric_words, hold_a_number_against_a_limit_whichever_way_is_better) {
    using reports::render::metric_words;
    reports::MetricVerdict metric = tests::a_metric("decode.tokens_per_s", 0.99, 0.05);
    metric.direction = reports::Direction::higher;
    metric.verdict = Verdict::same;
    EXPECT_THAT(metric_words(metric), HasSubstr("fell by 1.00 %"));
    EXPECT_THAT(metric_words(metric),
                HasSubstr("at worst -2.00 %, which is below the margin of 5 %"));
    metric.verdict = Verdict::inconclusive;
    EXPECT_THAT(metric_words(metric), HasSubstr("neither"));
    metric.verdict = Verdict::improved;
    EXPECT_THAT(metric_words(metric), HasSubstr("all of it is better"));
    metric.position_corrected = true;
    metric.second_costs = 0.012;
    EXPECT_THAT(metric_words(metric), HasSubstr("Running second in a round costs +1.20 %"));
    metric.interval.reset();
    metric.reason = "4 rounds are too few";
    EXPECT_THAT(metric_words(metric), HasSubstr("improved: 4 rounds are too few"));
}

}  // namespace

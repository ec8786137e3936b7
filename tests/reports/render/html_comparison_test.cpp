// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: verdict first, then what shows it; nothing foreign becomes markup.
#include <gmock/gmock.h>

#include <regex>

#include "reports/render/html.h"
#include "tests/reports/render/comparison_fixture.h"

namespace {

using reports::ComparisonReport;
using reports::Report;
using reports::Verdict;
using reports::render::comparison_html;
using testing::HasSubstr;
using testing::Not;

Report breakdown() {
    Report report;
    report.scenario.name = "prefill-4k";
    report.arm.name = "old";
    report.phases = {{.phase = "prefill", .wall_ns = reports::Spread{1e6, 1e6, 1e6, 8}}};
    Report other = report;
    other.arm.name = "new";
    report.other_arms = {other};
    return report;
}

std::string page_of(const ComparisonReport& report) {
    return comparison_html(report, breakdown());
}

long count(const std::string& text, const std::string& what) {
    const std::regex pattern(what);
    return std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), {});
}

TEST(html_comparison, is_headed_by_the_verdict_with_a_reason_for_every_gated_metric) {
    const std::string text = page_of(tests::a_comparison());
    const auto at = [&](const char* part) { return text.find(part); };
    EXPECT_THAT(text, HasSubstr("<strong>REGRESSED</strong>"));
    EXPECT_THAT(text, HasSubstr("run 7 · REGRESSED · tare</title>"));
    ASSERT_NE(at("estimate at least the margin worse"), std::string::npos);
    EXPECT_LT(at("estimate at least the margin worse"), at("the interval ends below the margin"))
        << "what decided comes first";
    EXPECT_LT(at("the interval ends below the margin"), at("id=\"metrics\""));
    EXPECT_THAT(text, HasSubstr("id=\"arm1-phases\"")) << "each arm's own breakdown follows";
}

TEST(html_comparison, shows_ratio_interval_margin_and_one_of_every_metric) {
    const std::string text = page_of(tests::a_comparison());
    EXPECT_THAT(text, HasSubstr("aria-label=\"prefill.wall_ns: ratio 1.1000, 99.0 % interval "
                                "1.0900 to 1.1100, margin 2 %: regressed\""));
    const std::string forest = text.substr(text.find("class=\"plot forest\""));
    const std::string rows = forest.substr(0, forest.find("class=\"note\""));
    EXPECT_EQ(count(rows, "class=\"band\""), 2);
    EXPECT_EQ(count(rows, "<circle class=\"v-regressed\""), 1);
    EXPECT_EQ(count(rows, "class=\"unit\""), 2);
    EXPECT_THAT(rows, HasSubstr("ratio new / old"));
}

TEST(html_comparison, marks_every_round_with_the_arm_that_ran_first_and_blocks_that_do_not_count) {
    ComparisonReport report = tests::a_comparison();
    EXPECT_EQ(count(page_of(report), "class=\"void\""), 0);
    report.replaced = {
        {.block = 4, .mode = reports::Mode::timed, .arm = "new", .reason = "<crash>"},
        {.block = 5, .mode = reports::Mode::profiled, .arm = "new", .reason = "x"}};
    report.pairs[0].metrics[1].rounds = 6;
    const std::string text = page_of(report);
    EXPECT_EQ(count(text, "<circle class=\"(ab|ba)( unread)?\" "), 2 * 8 + 2) << "2 in the legend";
    EXPECT_EQ(count(text, "<circle class=\"(ab|ba) unread\" "), 2);
    EXPECT_EQ(count(text, "class=\"void\""), 2) << "the timed block in each of two plots";
    EXPECT_THAT(text, HasSubstr("rounds 9 and 10 do not count: arm new: &lt;crash&gt;"));
    EXPECT_THAT(text, HasSubstr("round 2, new first: +10.00 %"));
    EXPECT_THAT(text, HasSubstr("no: decided before"));
    EXPECT_THAT(text, HasSubstr("Rounds that do not count"));
}

TEST(html_comparison, prints_a_waterfall_that_can_be_added_up) {
    ComparisonReport report = tests::a_comparison();
    EXPECT_THAT(page_of(report), HasSubstr("Δ wall +100.350 µs = 90.000 − 2.000 + 0.000 + 10.000 + "
                                           "1.500 + 0.850"));
    report.pairs[0].waterfalls[0].profiling_changed_the_answer = true;
    EXPECT_THAT(page_of(report), HasSubstr("Nobody is blamed"));
}

TEST(html_comparison, tells_several_pairs_apart) {
    ComparisonReport report = tests::a_comparison();
    report.pairs.push_back(tests::a_pair());
    report.pairs[1].b = "newer";
    const std::string text = page_of(report);
    for (const char* part : {"id=\"pair0-metrics\"", "id=\"pair1-metrics\"", "newer against old"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_EQ(count(text, "id=\"[^\"]*metrics\""), 2);
}

TEST(html_comparison, shows_what_cannot_be_compared) {
    ComparisonReport report = tests::a_comparison();
    report.pairs.clear();
    report.verdict = Verdict::invalid;
    report.reasons = {"arm b cannot be measured"};
    EXPECT_THAT(page_of(report), HasSubstr("arm b cannot be measured"));
    EXPECT_THAT(page_of(report), HasSubstr("<body class=\"invalid\">"));
    report = tests::a_comparison();
    for (auto& metric : report.pairs[0].metrics) {
        metric.interval.reset();
        metric.ratio.reset();
        metric.a.reset();
    }
    report.pairs[0].waterfalls.clear();
    report.pairs[0].kernels.clear();
    EXPECT_THAT(page_of(report), Not(HasSubstr("class=\"plot")));
    report.pairs[0].tokens.identical = false;
    report.pairs[0].tokens.first_divergence = {{.request = 2, .position = 5}};
    report.pairs[0].exact_regressed = true;
    EXPECT_THAT(page_of(report), HasSubstr("tokens differ first at request 2, position 5"));
}

// Values no clock ever gave.
TEST(html_comparison, numbers_that_are_none_leave_a_page) {
    ComparisonReport report = tests::a_comparison();
    auto& metric = report.pairs[0].metrics[1];
    metric.a_rounds[3] = 0;
    metric.b_rounds[4] = 0;
    metric.a_rounds[5] = metric.b_rounds[5] = 0;
    metric.interval = reports::ChangeInterval{0, 1e300, 0.99};
    report.pairs[0].waterfalls[0].rows[0].delta_ns = 1e300;
    const std::string text = page_of(report);
    EXPECT_EQ(count(text, "(x|y|cx|cy|x1|x2|y1|y2|width|height)=\"-?(nan|inf)"), 0);
    EXPECT_THAT(text, HasSubstr("id=\"rounds\""));
}

constexpr const char* hostile =
    "</script></style></svg><img src=x onerror=alert(1)>\"'><b>\x01\xe2\x80\xae\xff&amp;";

void poison(ComparisonReport& report) {
    report.run.started_utc = report.run.status = report.scenario.name = hostile;
    report.machine.machine_class = report.plan.calibration = hostile;
    report.reasons = {hostile};
    for (auto& arm : report.arms) {
        arm.name = arm.spec = hostile;
        arm.commit = arm.binary_sha256 = hostile;
    }
    report.replaced = {{.block = 1, .arm = hostile, .reason = hostile}};
    for (auto& pair : report.pairs) {
        pair.a = pair.b = hostile;
        pair.reasons = {hostile};
        for (auto& one : pair.metrics) one.name = one.unit = one.reason = hostile;
        for (auto* rows : {&pair.kernels, &pair.roles})
            for (auto& row : *rows)
                row.phase = row.role = row.path = row.kernel = row.kernel_b = hostile;
        pair.unsteady = {{hostile, hostile, hostile, 1, 8}};
        pair.paths = {pair.kernels[0]};
        for (auto& one : pair.waterfalls) {
            one.phase = hostile;
            one.rows[2].name = hostile;
        }
        for (auto& one : pair.counts) one.name = one.unit = hostile;
        pair.counts[0].equal = false;
    }
}

TEST(html_comparison, hostile_text_never_becomes_markup) {
    ComparisonReport report = tests::a_comparison();
    report.pairs.push_back(tests::a_pair());
    const std::string clean = page_of(report);
    poison(report);
    report.verdict = report.pairs[1].verdict = Verdict::invalid;
    const std::string text = page_of(report);
    EXPECT_THAT(text, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
    for (const char* part : {"<img", "\x01", "\xff", "\xe2\x80\xae"})
        EXPECT_THAT(text, Not(HasSubstr(part)));
    for (const char* tag : {"<script", "</script", "<style", "</style"}) {
        EXPECT_EQ(count(text, tag), 1) << tag;
        EXPECT_EQ(count(clean, tag), 1) << tag;
    }
    EXPECT_EQ(count(text, "<svg"), count(text, "</svg>"));
    const std::string unquoted = std::regex_replace(text, std::regex("\"[^\"]*\""), "");
    EXPECT_EQ(count(unquoted, "<[a-z][^>]* on[a-z]+="), 0);
}

}  // namespace

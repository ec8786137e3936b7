// SPDX-License-Identifier: Apache-2.0
// The HTML report holds every figure, says what is invalid, and lets nothing foreign become markup.
#include "reports/render/html.h"

#include <gmock/gmock.h>

#include <regex>

#include "reports/queries/report_query.h"
#include "reports/render/html_text.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using reports::Report;
using reports::render::escaped_html;
using reports::render::report_html;
using testing::HasSubstr;
using testing::Not;

class html : public tests::ReportFixture {
  protected:
    html() { report_ = reports::load_report(store_, fill()); }

    Report report_;
};

// Marks, quotes, a control character, an override of direction, bytes that are no UTF-8.
constexpr const char* hostile =
    "</script></style><img src=x onerror=alert(1)>\"'><b>\x01\xe2\x80\xae\xff&amp;";

TEST(html_text, markup_quotes_and_unprintable_characters_become_text) {
    EXPECT_EQ(escaped_html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    EXPECT_EQ(escaped_html(std::string_view("\0\x01\x7f\t\n", 5)), "&#x2400;&#x2401;&#x2421;\t\n");
    const std::string bad = "\xef\xbf\xbd";
    EXPECT_EQ(escaped_html("µ\xff\xc0\xaf"), "µ" + bad + bad + bad);
    EXPECT_EQ(escaped_html("a\xe2\x80\xae"
                           "b\xe2\x81\xa6"
                           "c"),
              "a" + bad + "b" + bad + "c");
}

TEST_F(html, shows_header_breakdown_checks_and_provenance) {
    const std::string text = report_html(report_);
    for (const char* part :
         {"<h1>prefill-4k</h1>", "small-bf16", "c0ffee", "cpu-test-2",
          "2 timed + 1 profiled rounds", "3 of 4 valid", "expert_gemm", "layer.*.moe/experts.up",
          "layer.01.moe/experts.up", "residual 0 ns", "(a) kernel time in no phase", "12 / 12",
          "1.0 % + 20 µs", "prefill.ops", "Profiling cost",
          "causes this backend does not have: launch, sync", "scenario sha256",
          "tare-engine bench"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST_F(html, is_the_same_for_the_same_run) {
    EXPECT_EQ(report_html(report_), report_html(reports::load_report(store_, run_)));
}

TEST_F(html, asks_nothing_of_any_network) {
    const std::string text = report_html(report_);
    EXPECT_THAT(text, HasSubstr("default-src 'none'"));
    const std::regex request("https?://|@import|url\\(|<(link|script|img|iframe)[^>]+(src|href)=");
    std::string without_icon = text;
    const std::string icon = "<link rel=\"icon\" href=\"data:,\">";
    without_icon.erase(without_icon.find(icon), icon.size());
    std::smatch found;
    EXPECT_FALSE(std::regex_search(without_icon, found, request)) << found.str();
}

TEST_F(html, invalid_run_says_so_before_any_figure_with_every_reason) {
    ASSERT_TRUE(report_.valid);
    EXPECT_THAT(report_html(report_), Not(HasSubstr("INVALID")));
    report_.valid = false;
    report_.reasons = {"first breach", "second breach"};
    const std::string text = report_html(report_);
    EXPECT_THAT(text, HasSubstr("INVALID · tare</title>"));
    EXPECT_LT(text.find("second breach"), text.find("id=\"phases\""));
    EXPECT_THAT(text, HasSubstr("<body class=\"invalid\">"));
}

// Every text of a report that comes from outside this program.
void poison(Report& report) {
    report.run.status = report.run.started_utc = report.run.suite_commit = hostile;
    report.run.command_line = {hostile};
    report.scenario.name = report.scenario.resolved_json = report.scenario.sha256 = hostile;
    report.machine.machine_class = report.machine.cpu_model = report.machine.hostname = hostile;
    report.machine.missing = {{"gpu_name", hostile}};
    report.build.commit = report.build.compiler = report.build.flags = hostile;
    report.model.name = hostile;
    report.arm.command = {hostile};
    report.arm.environment = {{hostile, hostile}};
    report.roof.how = hostile;
    report.reasons = {hostile};
    for (auto& row : report.trials) row.trial.reason = hostile;
    for (auto& row : report.phases) row.phase = row.reason = hostile;
    for (auto* rows : {&report.roles, &report.ops, &report.kernels}) {
        for (auto& row : *rows) row.phase = row.role = row.path = row.kernel = hostile;
        for (auto& row : *rows) row.launch_shape = hostile;
    }
    for (auto& row : report.counts) row.name = row.unit = hostile;
    for (auto& row : report.identities) row.name = hostile;
    for (auto& row : report.profiling_cost) row.phase = hostile;
    for (auto& row : report.conditions) row.name = row.unit = hostile;
    for (auto& row : report.outputs) row.sha256 = hostile;
}

TEST_F(html, hostile_text_never_becomes_markup) {
    const std::string clean = report_html(report_);
    poison(report_);
    report_.phases[0].valid = false;
    const std::string text = report_html(report_);
    EXPECT_THAT(text, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
    EXPECT_THAT(text, Not(HasSubstr("\x01")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
    // No tag beyond those of the page itself, and those with attributes of ours alone.
    const auto tags = [](const std::string& of, const char* what) {
        const std::regex tag(what);
        return std::distance(std::sregex_iterator(of.begin(), of.end(), tag), {});
    };
    for (const char* tag : {"<script", "</script", "<style", "</style"}) {
        EXPECT_EQ(tags(text, tag), 1) << tag;
        EXPECT_EQ(tags(clean, tag), 1) << tag;
    }
    // Outside of quotes, where an attribute would be one.
    const std::string unquoted = std::regex_replace(text, std::regex("\"[^\"]*\""), "");
    EXPECT_EQ(tags(unquoted, "<[a-z][^>]* on[a-z]+="), 0);
    EXPECT_EQ(tags(text, "<b>"), 0);
}

TEST_F(html, arms_stand_side_by_side_with_losses_and_are_told_apart) {
    report_.arm.name = "gather";
    Report dense = report_;
    dense.arm = {.name = "dense",
                 .command = {},
                 .environment = {},
                 .arguments = {"--moe", "dense"},
                 .about = "every <expert>"};
    dense.identities.push_back(
        {.name = "expert_rows", .expected = 10, .seen = 80, .must_hold = false});
    dense.losses = {{.name = "text-1", .tokens = 511, .nll_sum = 1022, .nll_mean = 2, .trials = 3}};
    dense.mean_loss = 2;
    report_.other_arms = {dense};
    report_.all_arms = {"gather", "dense"};
    const std::string text = report_html(report_);
    for (const char* part : {"Arms side by side", "gather · Phases", "dense · Phases",
                             "id=\"arm1-phases\"", "--moe dense", "every &lt;expert&gt;", "1.000×",
                             "text-1", "2.000000", "no (8.00×), as declared"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("INVALID")));
    report_.other_arms[0].valid = false;
    report_.other_arms[0].reasons = {"breach"};
    const std::string invalid = report_html(report_);
    EXPECT_THAT(invalid, HasSubstr("INVALID"));
    EXPECT_THAT(invalid, HasSubstr("arm dense: breach"));
}

TEST_F(html, empty_report_is_still_a_page) {
    Report report;
    report.scenario.name = "nothing";
    EXPECT_THAT(report_html(report), HasSubstr("<h1>nothing</h1>"));
}

}  // namespace

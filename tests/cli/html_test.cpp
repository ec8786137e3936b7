// SPDX-License-Identifier: Apache-2.0
// tare report --format html, seen by a headless browser.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/tare.h"
#include "tests/fakes/test_tools.h"

namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

fakes::Result look_at(const std::string& page) {
    return fakes::run({fakes::test_python, TARE_SOURCE_DIR "/tests/cli/tools/look_at_report.py",
                       page, TARE_BUILD_DIR "/artefacts"});
}

TEST(TareHtml, reads_sorts_and_fits_in_a_browser) {
    const std::string missing = fakes::missing_tools("", true);
    if (!missing.empty() && !fakes::tools_are_required()) GTEST_SKIP() << missing;
    ASSERT_EQ(missing, "");
    const fakes::Tare tare;
    // Names that have to be told in full, and would be markup.
    const auto scenario = tare.folder().write(
        "small.toml",
        "name = \"a-rather-long-name-of-a-scenario-that-has-to-fit-on-a-phone-too\"\nmodel = "
        "\"" TARE_SOURCE_DIR
        "/scenarios/models/small-bf16\"\nworkload = \"decode\"\ndecode_tokens = 4\n"
        "rounds = 2\nprofiled_rounds = 1\ntime_limit_s = 30\n[prompt]\nfile = \"p.json\"\n");
    ASSERT_EQ(tare({"run", scenario.string(), "--quiet"}).exit_code, 0);
    const std::string page = (tare.folder().path() / "report.html").string();
    ASSERT_EQ(tare({"report", "--format", "html", "--out", page}).exit_code, 0);
    const auto seen = look_at(page);
    EXPECT_EQ(seen.exit_code, 0) << seen.out << seen.err;
    EXPECT_EQ(tare({"report", "1", "--format", "html"}).out.size(),
              std::filesystem::file_size(page));
    EXPECT_LT(std::filesystem::file_size(page), 500'000u);
}

TEST(TareHtml, a_comparison_reads_sorts_and_fits_in_a_browser) {
    const std::string missing = fakes::missing_tools("", true);
    if (!missing.empty() && !fakes::tools_are_required()) GTEST_SKIP() << missing;
    ASSERT_EQ(missing, "");
    const fakes::Tare tare;
    const auto scenario = tare.folder().write(
        "small.toml",
        "name = \"a-comparison\"\nmodel = \"" TARE_SOURCE_DIR
        "/scenarios/models/small-bf16\"\nworkload = \"decode\"\ndecode_tokens = 8\n"
        "time_limit_s = 30\n[prompt]\nfile = \"p.json\"\n"
        "[metrics]\ndecode_wall_ns = { margin = \"5%\" }\ncold_start_ns = { margin = \"50%\" }\n");
    const std::string page = (tare.folder().path() / "comparison.html").string();
    const auto compared = tare(
        {"ab", "env:X=1", "args:\"--fault delay:decode/step/*.mamba/scan:400\"", scenario.string(),
         "--rounds", "8", "--profiled-rounds", "8", "--quiet", "--format", "html", "--out", page});
    // Whatever other work on this machine lets the verdict be, the page shows it.
    ASSERT_TRUE(compared.exit_code == 1 || compared.exit_code == 3)
        << compared.exit_code << compared.out << compared.err;
    const auto seen = look_at(page);
    EXPECT_EQ(seen.exit_code, 0) << seen.out << seen.err;
    EXPECT_EQ(tare({"report", "--format", "html"}).out.size(), std::filesystem::file_size(page))
        << "the stored run gives the same page";
    EXPECT_EQ(tare({"compare", "latest", "--format", "html"}).out.size(),
              std::filesystem::file_size(page));
    EXPECT_HAS(tare({"report", "--format", "html", "--arm", "a"}).out,
               "<p class=\"tool\">tare report");
}

TEST(TareHtml, is_offered_where_it_exists_and_refused_where_it_does_not) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good", {"--format", "html"}).exit_code, 0);
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    EXPECT_HAS(tare({"report", "--format", "html"}).out, "<!DOCTYPE html>");
    const auto compared = tare({"compare", "1", "2", "--format", "html"});
    EXPECT_EQ(compared.exit_code, 2);
    EXPECT_HAS(compared.err, "html");
    EXPECT_EQ(tare({"list", "--format", "html"}).exit_code, 2);
}

}  // namespace

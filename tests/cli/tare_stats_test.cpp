// SPDX-License-Identifier: Apache-2.0
// tare stats through the real binary: figures, verdicts as exit codes, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

class TareStats : public testing::Test {
  protected:
    fakes::Result stats(const std::string& csv, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {fakes::Tare::binary(), "stats", folder_.write("r.csv", csv)});
        return fakes::run(more);
    }

    json object(const std::string& csv, std::vector<std::string> more = {}) const {
        more.push_back("--json");
        return json::parse(stats(csv, more).out);
    }

    // Ratios of `percent` per cent and a little apart.
    static std::string rounds(double percent, int n = 12) {
        std::string csv = "round,a,b\n";
        for (int i = 0; i < n; ++i)
            csv += std::to_string(i) + ",100," + std::to_string(100 + percent + 0.01 * i) + "\n";
        return csv;
    }

    void expect_refused(const std::string& csv,
                        const std::string& words,
                        std::vector<std::string> more = {}) const {
        const auto result = stats(csv, more);
        EXPECT_EQ(result.exit_code, 2) << csv;
        EXPECT_EQ(result.out, "");
        EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    }

    fakes::TemporaryFolder folder_;
};

TEST_F(TareStats, verdict_is_the_exit_code) {
    const auto verdict = [&](const std::string& csv, std::vector<std::string> more) {
        more.insert(more.end(), {"--margin", "2%", "--json"});
        const auto result = stats(csv, more);
        return json::parse(result.out).at("verdict").get<std::string>() + " " +
               std::to_string(result.exit_code);
    };
    EXPECT_EQ(verdict(rounds(3), {}), "regressed 1");
    EXPECT_EQ(verdict(rounds(-3), {}), "improved 0");
    EXPECT_EQ(verdict(rounds(0.1), {}), "same 0");
    EXPECT_EQ(verdict(rounds(3, 5), {}), "inconclusive 3");
    EXPECT_EQ(verdict(rounds(3), {"--direction", "higher"}), "improved 0");
    EXPECT_EQ(verdict(rounds(-3), {"--direction", "higher"}), "regressed 1");
}

TEST_F(TareStats, figures_are_those_of_hand_calculation) {
    const auto figures = object(
        "a,b\n100,101\n100,102\n100,103\n100,104\n100,105\n100,106\n100,107\n"
        "100,108\n100,100\n");
    EXPECT_EQ(figures.at("n"), 9);
    EXPECT_EQ(figures.at("zeros"), 1);
    EXPECT_EQ(figures.at("median_ratio"), 1.04);
    EXPECT_EQ(figures.at("median_lo"), 1.01);  // rank 2 of 9
    EXPECT_EQ(figures.at("median_hi"), 1.07);
    EXPECT_NEAR(figures.at("median_coverage"), 1 - 20.0 / 512, 1e-12);
    EXPECT_NEAR(figures.at("wilcoxon_p"), 2.0 / 256, 1e-15);
    EXPECT_NEAR(figures.at("sign_p"), 2.0 / 256, 1e-15);
    EXPECT_GE(figures.at("hl_coverage"), 0.95);
    EXPECT_GT(figures.at("hl_ratio"), 1.03);
    EXPECT_LT(figures.at("hl_lo"), figures.at("hl_ratio"));
    EXPECT_TRUE(figures.at("verdict").is_null());
}

TEST_F(TareStats, few_rounds_have_estimates_and_no_interval) {
    const auto figures = object("a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n");
    EXPECT_EQ(figures.at("median_ratio"), 2);
    EXPECT_NEAR(figures.at("hl_ratio"), 2, 1e-14);
    for (const char* key : {"median_lo", "median_coverage", "hl_lo", "hl_hi", "hl_coverage"})
        EXPECT_TRUE(figures.at(key).is_null()) << key;
    EXPECT_EQ(stats("a,b\n1,2\n").exit_code, 0);
}

TEST_F(TareStats, arms_that_change_places_give_the_reciprocal) {
    const std::string csv = "x,y\n3,4\n5,4\n7,9\n8,8.5\n2,2\n3,3.3\n6,7\n1,1.5\n";
    const auto there = object(csv, {"--a", "x", "--b", "y"}),
               back = object(csv, {"--a", "y", "--b", "x"});
    EXPECT_NEAR(there.at("hl_lo").get<double>() * back.at("hl_hi").get<double>(), 1, 1e-14);
    EXPECT_NEAR(there.at("hl_ratio").get<double>() * back.at("hl_ratio").get<double>(), 1, 1e-14);
    EXPECT_EQ(there.at("wilcoxon_p"), back.at("wilcoxon_p"));
}

TEST_F(TareStats, csv_is_read_as_people_write_it) {
    const std::string plain = "a,b\n1,2\n3,4\n";
    const auto wanted = object(plain);
    EXPECT_EQ(object("\xef\xbb\xbf\"a\", b\r\n\"1\" ,+2\r\n\r\n3,4.0"), wanted);
    EXPECT_EQ(object("before,after\n1,2\n3,4\n"), wanted);  // the only two
    EXPECT_EQ(object("1,2\n3,4\n"), wanted);                // no header
    EXPECT_EQ(object("7,1,2\n7,3,4\n", {"--a", "2", "--b", "3"}), wanted);
    EXPECT_EQ(object("b,\"a note, \"\"quoted\"\"\nover lines\",a\n2,x,1\n4,y,3\n"), wanted);
}

TEST_F(TareStats, line_with_a_missing_value_is_left_out_and_counted) {
    const auto figures = object("a,b\n1,2\n,4\n3,\n5\n6,12\n");
    EXPECT_EQ(figures.at("n"), 2);
    EXPECT_EQ(figures.at("left_out"), 3);
    const auto table = stats("a,b\n1,2\n,4\n6,12\n");
    EXPECT_NE(table.out.find("2 rounds, 1 left out"), std::string::npos) << table.out;
}

TEST_F(TareStats, refuses_with_line_column_and_value) {
    expect_refused("a,b\n1,2\n3,0\n", "r.csv:3: column 'b' holds '0'");
    expect_refused("a,b\n1,2\n-3,1\n", "r.csv:3: column 'a' holds '-3'");
    expect_refused("a,b\n1,inf\n", "holds 'inf'");
    expect_refused("a,b\n1,nan\n", "holds 'nan'");
    expect_refused("a,b\n1,2 ms\n", "holds '2 ms'");
    expect_refused("a,b\n1,\"2\n", "r.csv:2: a quote is opened and never closed");
    expect_refused("", "no line with values");
    expect_refused("a,b\n", "no line has a value in both columns");
    expect_refused("a,b\n,1\n", "no line has a value in both columns");
    expect_refused("x,y,z\n1,2,3\n", "no column 'a'. Name one with --a. Columns: x, y, z");
    expect_refused("a,a,b\n1,2,3\n", "more than one column 'a'");
    expect_refused("a,b\n1,2\n", "--margin 2 is not a share", {"--margin", "2"});
    expect_refused("a,b\n1,2\n", "direction", {"--direction", "sideways"});
    std::string many = "a,b\n";
    for (int i = 0; i < 1001; ++i) many += "1,2\n";
    expect_refused(many, "1001 pairs");
    EXPECT_EQ(fakes::run({fakes::Tare::binary(), "stats", "/nonexistent.csv"}).exit_code, 2);
    EXPECT_EQ(fakes::run({fakes::Tare::binary(), "stats", "/dev/zero"}).exit_code, 2);
}

TEST_F(TareStats, largest_file_of_pairs_is_exact_and_quick) {
    std::string many = "a,b\n";
    for (int i = 0; i < 1000; ++i)
        many += std::to_string(100 + i % 7) + "," + std::to_string(101 + i % 5) + "\n";
    const auto result = stats(many, {"--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_GT(json::parse(result.out).at("wilcoxon_p"), 0);
}

TEST_F(TareStats, table_says_what_the_object_says) {
    const auto table = stats(rounds(3), {"--margin", "2%"});
    EXPECT_EQ(table.exit_code, 1);
    for (const char* words :
         {"b / a: 12 rounds", "Hodges-Lehmann", "median", "verdict: regressed: estimate +3.0"})
        EXPECT_NE(table.out.find(words), std::string::npos) << words << "\n" << table.out;
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// The same report as table, Markdown, CSV and JSON.
#include "reports/render/render.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/queries/report_query.h"
#include "reports/render/text.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using nlohmann::json;
using reports::Report;
using reports::render::Format;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class render : public tests::ReportFixture {
  protected:
    render() { report_ = reports::load_report(store_, fill()); }

    std::string as(Format format) const { return reports::render::report(report_, {format}); }

    Report report_;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST_F(render, table_shows_header_breakdown_and_integrity) {
    const std::string text = as(Format::table);
    for (const char* part :
         {"run 1 · prefill-4k", "small-bf16", "c0ffee", "cpu-test-2", "2 timed + 1 profiled rounds",
          "3 of 4 valid", "expert_gemm", "layer.*.moe/experts.up", "gap (host)", "total", "100.0 %",
          "residual 0 ns", "(a) kernel time in no phase", "12 / 12", "1.0 % + 20 µs", "prefill.ops",
          "Profiling cost", "--by-path"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("layer.01")));
}

TEST_F(render, table_rows_fit_the_width) {
    for (const int width : {80, 100, 160}) {
        const auto text = reports::render::report(report_, {.width = width});
        bool in_table = false;
        for (const std::string& line : lines_of(text)) {
            if (line.starts_with("prefill: time by")) in_table = true;
            if (line.starts_with("wall ") || line.empty()) in_table = false;
            if (!in_table) continue;
            EXPECT_LE(reports::render::columns(line), width) << line;
        }
    }
}

TEST_F(render, by_path_shows_every_layer_and_top_says_what_is_hidden) {
    const auto text = reports::render::report(report_, {.width = 160, .top = 3, .by_path = true});
    EXPECT_THAT(text, AllOf(HasSubstr("layer.01.moe/experts.up"), HasSubstr("1 more")));
    EXPECT_THAT(reports::render::report(report_, {.width = 160, .top = 0, .by_path = true}),
                Not(HasSubstr("1 more")));
}

TEST_F(render, invalid_run_says_so_first) {
    report_.valid = false;
    report_.reasons = {"trial 9: (c) lost"};
    const auto text = as(Format::table);
    EXPECT_THAT(lines_of(text)[0], HasSubstr("INVALID"));
    EXPECT_THAT(text, HasSubstr("! trial 9: (c) lost"));
    EXPECT_THAT(as(Format::markdown), HasSubstr("> ⚠ trial 9"));
}

TEST_F(render, json_has_all_fields_of_the_interface) {
    const json object = json::parse(as(Format::json));
    EXPECT_EQ(object["schema"], "tare.report/1");
    EXPECT_EQ(object["scenario"], "prefill-4k");
    for (const char* field : {"phases", "roles", "kernels", "counts", "identities"}) {
        EXPECT_TRUE(object[field].is_array() && !object[field].empty()) << field;
    }
    const json& timed = object["phases"][0];
    const json& profiled = object["phases"][1];
    EXPECT_EQ(timed["mode"], "timed");
    EXPECT_TRUE(timed["busy_ns"].is_null());
    EXPECT_TRUE(timed["integrity"]["unattributed_share"].is_null());
    EXPECT_EQ(profiled["timer"], "monotonic_raw");
    EXPECT_EQ(profiled["wall_ns"], 1'100'000);
    EXPECT_EQ(profiled["wall_ns_min"], 1'000'000);
    EXPECT_EQ(profiled["wall_ns_max"], 1'200'000);
    EXPECT_EQ(profiled["gap"]["host_ns"], 450'000);
    EXPECT_TRUE(profiled["gap"]["launch_ns"].is_null());
    EXPECT_EQ(profiled["integrity"]["records_seen"], 12);
    EXPECT_TRUE(profiled["reason"].is_null());
    double total = 0;
    for (const json& kernel : object["kernels"]) {
        for (const char* field :
             {"phase", "path", "role", "kernel", "calls", "total_ns", "share", "mean_ns", "p50_ns",
              "p99_ns", "min_ns", "max_ns", "launch_shape", "registers", "bytes", "flops",
              "gb_per_s", "tflop_per_s", "roof_share"}) {
            EXPECT_TRUE(kernel.contains(field)) << field;
        }
        EXPECT_TRUE(kernel["launch_shape"].is_null());
        total += kernel["total_ns"].get<double>();
    }
    EXPECT_EQ(total + profiled["gap_ns"].get<double>(), profiled["wall_ns"]);
    EXPECT_EQ(object["profiling_cost"]["prefill"]["timed_wall_ns"], 1'103'500);
    EXPECT_EQ(object["run"]["build"]["commit"], "c0ffee");
    EXPECT_EQ(object["run"]["trials"].size(), 4u);
}

TEST_F(render, json_of_bytes_that_are_no_utf8_is_still_json) {
    report_.run.note = "caf\xe9";
    EXPECT_TRUE(json::accept(as(Format::json)));
}

// Splits RFC 4180 records; quotes may hold commas and line breaks.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& field = rows.back().back();
        if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += text[++i];
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[i] == ',') {
            rows.back().push_back("");
        } else if (!quoted && text[i] == '\r') {
            continue;
        } else if (!quoted && text[i] == '\n') {
            rows.push_back({""});
        } else {
            field += text[i];
        }
    }
    rows.pop_back();
    return rows;
}

TEST_F(render, csv_is_tidy_and_quoted) {
    report_.scenario.name = "a \"b\", c\nd";
    const auto rows = parse_csv(as(Format::csv));
    ASSERT_EQ(rows.size(), 8u);  // header, four kernels, the gap, two losses
    const auto column = [&](const char* name) {
        return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                        rows[0].begin());
    };
    double total = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        ASSERT_EQ(rows[r].size(), rows[0].size());
        EXPECT_EQ(rows[r][column("scenario")], "a \"b\", c\nd");
        if (r < 6) total += std::stod(rows[r][column("total_ns")]);
    }
    EXPECT_EQ(total, 1'100'000);
    EXPECT_EQ(rows[1][column("registers_per_thread")], "");
    EXPECT_EQ(rows[5][column("kernel")], "(gap)");
    EXPECT_EQ(rows[7][column("kernel")], "(loss)");
    EXPECT_EQ(rows[7][column("nll_mean")], "0.25");
}

TEST_F(render, comparison_has_ratios_and_no_verdict) {
    Report other = report_;
    other.run.id = 2;
    other.phases[0].wall_ns->median *= 2;
    other.counts[0].value += 5;
    other.outputs[0].tokens = {6};
    other.ops[0].total_ns->median += 1000;
    const json object =
        json::parse(reports::render::compare(report_, other, {.format = Format::json}));
    EXPECT_EQ(object["schema"], "tare.compare/1");
    EXPECT_TRUE(object["verdict"].is_null());
    EXPECT_EQ(object["exit_code"], 0);
    const json& wall = object["metrics"][0];
    EXPECT_EQ(wall["name"], "prefill.wall_ns");
    EXPECT_EQ(wall["ratio"], 2);
    EXPECT_EQ(wall["direction"], "lower");
    EXPECT_TRUE(wall["lo"].is_null() && wall["hi"].is_null() && wall["level"].is_null());
    EXPECT_EQ(wall["reason"], "two stored runs, not interleaved: no verdict");
    EXPECT_EQ(object["blame"][0]["delta_ns"], 1000);
    EXPECT_EQ(object["tokens"]["identical"], false);
    EXPECT_EQ(object["tokens"]["first_divergence"]["position"], 0);
    EXPECT_EQ(object["tokens"]["first_divergence"]["margin"], 1.5);
    int unequal = 0;
    for (const json& count : object["counts"]) unequal += count["equal"] == false ? 1 : 0;
    EXPECT_EQ(unequal, 1);
    for (const Format format : {Format::table, Format::markdown, Format::csv}) {
        const auto text = reports::render::compare(report_, other, {.format = format});
        EXPECT_THAT(text, HasSubstr("2")) << text;
        EXPECT_THAT(text, HasSubstr("prefill.wall"));
    }
    EXPECT_THAT(reports::render::compare(report_, other, {}),
                AllOf(HasSubstr("no verdict"), HasSubstr("position 0"), HasSubstr("2.0000")));
}

TEST_F(render, equal_runs_say_identical_tokens) {
    const auto text = reports::render::compare(report_, report_, {});
    EXPECT_THAT(text, AllOf(HasSubstr("identical"), HasSubstr("13 counts are equal"),
                            Not(HasSubstr("Counts that differ"))));
}

TEST_F(render, kernel_only_in_one_run_is_shown_as_unknown_in_the_other) {
    Report other = report_;
    other.ops.erase(other.ops.begin());
    const json object =
        json::parse(reports::render::compare(report_, other, {.format = Format::json}));
    EXPECT_TRUE(object["blame"][0]["b_ns"].is_null());
    EXPECT_EQ(object["blame"][0]["delta_ns"], -550'000);
}

TEST_F(render, different_scenarios_are_not_compared) {
    Report other = report_;
    other.scenario.sha256 = "0123456789abcdef";
    try {
        reports::render::compare(report_, other, {});
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("5ce"), HasSubstr("0123456789ab")));
    }
}

TEST(render_empty, report_of_nothing_is_rendered_in_every_format) {
    const Report nothing;
    for (const Format format : {Format::table, Format::markdown, Format::csv, Format::json}) {
        EXPECT_FALSE(reports::render::report(nothing, {.format = format}).empty());
        EXPECT_FALSE(reports::render::compare(nothing, nothing, {.format = format}).empty());
    }
}

}  // namespace

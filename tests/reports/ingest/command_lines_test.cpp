// SPDX-License-Identifier: Apache-2.0
// Metric lines of commands: taken whole, or named with their line, the value seen and the form.
#include "reports/ingest/command_lines.h"

#include <gmock/gmock.h>

namespace {

using reports::Direction;
using reports::ingest::CommandLines;
using reports::ingest::read_command_lines;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string metric(const std::string& value,
                   const std::string& unit = "\"1/s\"",
                   const std::string& direction = "\"higher\"",
                   const std::string& name = "\"speed\"") {
    return R"({"type":"metric","name":)" + name + R"(,"value":)" + value + R"(,"unit":)" + unit +
           R"(,"direction":)" + direction + "}\n";
}

TEST(command_lines, each_line_is_a_metric_and_one_name_has_several_values) {
    const CommandLines seen = read_command_lines(
        metric("81.5") + "\n" + metric("82") + metric("3", "\"µs\"", "\"lower\"", "\"a/b.c-d_e\""));
    EXPECT_THAT(seen.problems, IsEmpty());
    ASSERT_EQ(seen.metrics.size(), 3u);
    EXPECT_EQ(seen.metrics[0].value, 81.5);
    EXPECT_EQ(seen.metrics[0].unit, "1/s");
    EXPECT_EQ(seen.metrics[0].direction, Direction::higher);
    EXPECT_EQ(seen.metrics[1].value, 82);
    EXPECT_EQ(seen.metrics[2].name, "a/b.c-d_e");
}

TEST(command_lines, nothing_is_no_problem_and_the_last_line_needs_no_end) {
    EXPECT_THAT(read_command_lines("").problems, IsEmpty());
    std::string text = metric("1");
    text.pop_back();
    EXPECT_EQ(read_command_lines(text).metrics.size(), 1u);
}

TEST(command_lines, exact_metric_is_one_value_however_often_it_is_said) {
    const std::string exact = metric("7", "\"1\"", "\"exact\"");
    EXPECT_EQ(read_command_lines(exact + exact).metrics.size(), 1u);
    EXPECT_THAT(read_command_lines(exact + metric("8", "\"1\"", "\"exact\"")).problems,
                ElementsAre(AllOf(HasSubstr("line 2"), HasSubstr("8 here and was 7 before"))));
}

TEST(command_lines, what_is_wrong_is_named_with_its_line_and_the_accepted_form) {
    const std::pair<std::string, const char*> bad[] = {
        {"hello\n", "read as JSON"},
        {"[1]\n", "not a JSON object"},
        {"{}\n", "field 'type' is missing"},
        {R"({"type":"metrik"})"
         "\n",
         "field 'type' is \"metrik\"; accepted: metric"},
        {R"({"type":"metric","name":"a","unit":"1","direction":"lower"})"
         "\n",
         "field 'value' is missing"},
        {metric("\"81\""), "field 'value' is \"81\"; accepted: a finite number"},
        {metric("1e999"), "line 1"},
        {metric("null"), "field 'value' is missing"},
        {metric("1", "\"\""), "field 'unit'"},
        {metric("1", "\"a b\""), "field 'unit'"},
        {metric("1", "7"), "field 'unit' is 7"},
        {metric("1", "\"1\"", "\"faster\""), "accepted: lower, higher, exact, none"},
        {metric("1", "\"1\"", "\"lower\"", "\"a b\""), "field 'name' is \"a b\""},
        {metric("1", "\"1\"", "\"lower\"", "\"process_wall_ns\""), "measured by tare itself"},
        {metric("1", "\"1\"", "\"lower\"", "\"" + std::string(65, 'a') + "\""), "at most 64"},
    };
    for (const auto& [text, words] : bad) {
        const CommandLines seen = read_command_lines(text);
        EXPECT_THAT(seen.metrics, IsEmpty()) << text;
        EXPECT_THAT(seen.problems, ElementsAre(AllOf(HasSubstr("$TARE_RESULT_FILE line 1"),
                                                     HasSubstr(words), HasSubstr("write {"))))
            << text;
    }
}

TEST(command_lines, one_name_keeps_its_unit_and_direction) {
    EXPECT_THAT(read_command_lines(metric("1") + metric("1", "\"s\"")).problems,
                ElementsAre(HasSubstr("one name has one unit")));
    EXPECT_THAT(read_command_lines(metric("1") + metric("1", "\"1/s\"", "\"lower\"")).problems,
                ElementsAre(HasSubstr("is 1/s (lower) here and was 1/s (higher) before")));
}

TEST(command_lines, flood_of_bad_lines_is_counted_and_bytes_of_any_kind_are_shown) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "\x1b[31m\xff\n";
    const CommandLines seen = read_command_lines(text);
    ASSERT_EQ(seen.problems.size(), 21u);
    EXPECT_EQ(seen.problems[20], "980 more lines like these");
    EXPECT_EQ(seen.problems[0].find('\x1b'), std::string::npos);
    std::string many;
    for (int i = 0; i < 100'001; ++i) many += "\n";
    EXPECT_THAT(read_command_lines(many).problems,
                ElementsAre(HasSubstr("more than 100000 lines")));
    EXPECT_EQ(read_command_lines(std::string(100'000, '[')).problems.size(), 1u);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Lines are read by the number of their protocol; what is wrong is named with its line.
#include "reports/ingest/engine_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/reports/ingest/synthetic.h"

namespace {

using reports::ingest::read_engine_lines;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string hello = R"({"type":"hello","protocol":1,"clock":"monotonic_raw"})"
                          "\n";
const std::string end = R"({"type":"end","first_token_ns":5})"
                        "\n";

TEST(engine_lines, reads_all_of_protocol_1) {
    const auto lines =
        read_engine_lines(tests::engine_lines({tests::a_phase(0), tests::a_phase(1)}));
    EXPECT_THAT(lines.problems, IsEmpty());
    EXPECT_EQ(lines.protocol, 1);
    EXPECT_EQ(lines.commit, "c0ffee");
    EXPECT_EQ(lines.model_sha256, "3d");
    EXPECT_EQ(lines.clock, "monotonic_raw");
    ASSERT_EQ(lines.reps.size(), 2u);
    EXPECT_EQ(lines.reps[1].end_ns - lines.reps[1].begin_ns, 1'000'000);
    EXPECT_EQ(lines.reps[1].ops, 4);
    EXPECT_EQ(lines.counters[0].expert_rows_done, 99);
    EXPECT_EQ(lines.outputs[0].margins, std::vector<double>{1.5});
    EXPECT_EQ(lines.memory->peak_bytes, 1000);
    EXPECT_EQ(lines.first_token_ns, 301'000'000);
}

TEST(engine_lines, unknown_protocol_is_named_with_the_known_one) {
    const auto lines = read_engine_lines("{\"type\":\"hello\",\"protocol\":9}\nnonsense\n");
    EXPECT_THAT(lines.problems, ElementsAre(AllOf(HasSubstr("line 1"), HasSubstr("protocol 9"),
                                                  HasSubstr("up to protocol 1"))));
    EXPECT_EQ(lines.protocol, 9);
}

TEST(engine_lines, first_line_must_be_hello) {
    EXPECT_THAT(read_engine_lines(end).problems, ElementsAre(HasSubstr("not of type \"hello\"")));
}

TEST(engine_lines, garbage_is_named_with_its_line) {
    const auto lines = read_engine_lines(hello + "Segmentation fault\n" + end);
    EXPECT_THAT(lines.problems,
                ElementsAre(AllOf(HasSubstr("line 2"), HasSubstr("Segmentation fault"))));
}

TEST(engine_lines, missing_field_is_named) {
    const auto lines = read_engine_lines(
        hello + R"({"type":"rep","phase":"prefill","rep":0,"end_ns":4})" + "\n" + end);
    EXPECT_THAT(lines.problems,
                ElementsAre(AllOf(HasSubstr("line 2"), HasSubstr("'begin_ns' is missing"))));
    EXPECT_THAT(lines.reps, IsEmpty());
}

TEST(engine_lines, field_of_a_wrong_type_is_a_problem) {
    const auto lines = read_engine_lines(
        hello +
        R"({"type":"rep","phase":"prefill","rep":0,"begin_ns":"x","end_ns":4,"tokens":1,"ops":1})" +
        "\n" + end);
    EXPECT_THAT(lines.problems, ElementsAre(HasSubstr("line 2")));
}

// A cast would make another number of each.
TEST(engine_lines, number_that_its_field_cannot_hold_is_a_problem) {
    const auto rep = [](const char* index, const char* begin) {
        return fmt::format(
            R"({{"type":"rep","phase":"p","rep":{},"begin_ns":{},"end_ns":9,"tokens":1,"ops":1}})"
            "\n",
            index, begin);
    };
    for (const auto& line : {rep("4294967296", "4"), rep("0", "4.37e20"), rep("0", "1.5"),
                             rep("true", "4"), rep("0", "-9223372036854775809")}) {
        const auto lines = read_engine_lines(hello + line + end);
        EXPECT_THAT(lines.problems,
                    ElementsAre(AllOf(HasSubstr("line 2"), HasSubstr("whole number"))))
            << line;
        EXPECT_THAT(lines.reps, IsEmpty()) << line;
    }
}

TEST(engine_lines, rep_that_takes_no_time_is_a_problem) {
    const auto lines = read_engine_lines(
        hello + R"({"type":"rep","phase":"p","rep":0,"begin_ns":4,"end_ns":4,"tokens":1,"ops":1})" +
        "\n" + end);
    EXPECT_THAT(lines.problems, ElementsAre(HasSubstr("is not after")));
}

TEST(engine_lines, rep_said_twice_is_a_problem) {
    const std::string rep =
        R"({"type":"rep","phase":"p","rep":0,"begin_ns":4,"end_ns":9,"tokens":1,"ops":1})"
        "\n";
    EXPECT_THAT(read_engine_lines(hello + rep + rep + end).problems,
                ElementsAre(HasSubstr("was there before")));
}

TEST(engine_lines, output_said_twice_is_a_problem) {
    const std::string output =
        R"({"type":"output","request":0,"tokens":[1],"margins":[2],"sha256":"x"})"
        "\n";
    const auto lines = read_engine_lines(hello + output + output + end);
    EXPECT_THAT(lines.problems, ElementsAre(HasSubstr("request 0 was there before")));
    EXPECT_EQ(lines.outputs.size(), 1u);
}

TEST(engine_lines, without_end_the_process_did_not_finish) {
    EXPECT_THAT(read_engine_lines(hello).problems, ElementsAre(HasSubstr("did not finish")));
    EXPECT_THAT(read_engine_lines("").problems, ElementsAre(HasSubstr("did not finish")));
}

TEST(engine_lines, new_fields_and_new_types_are_passed_over) {
    const auto lines =
        read_engine_lines(hello + R"({"type":"weather","sun":true})" + "\n" +
                          R"({"type":"memory","peak_bytes":1,"new":[1]})" + "\n" + end);
    EXPECT_THAT(lines.problems, IsEmpty());
    EXPECT_EQ(lines.memory->peak_bytes, 1);
    EXPECT_EQ(lines.memory->used_bytes, std::nullopt);
}

TEST(engine_lines, loss_comes_once_per_request) {
    const std::string loss =
        R"({"type":"loss","request":0,"name":"a","tokens":3,"nll_sum":6,"nll_mean":2,"sha256":"x"})"
        "\n";
    const auto lines = reports::ingest::read_engine_lines(
        "{\"type\":\"hello\",\"protocol\":1,\"moe\":\"dense\"}\n" + loss + loss +
        "{\"type\":\"end\"}\n");
    ASSERT_EQ(lines.losses.size(), 1u);
    EXPECT_EQ(lines.losses[0].nll_mean, 2);
    EXPECT_EQ(lines.moe, "dense");
    ASSERT_EQ(lines.problems.size(), 1u);
    EXPECT_NE(lines.problems[0].find("was there before"), std::string::npos);
}

TEST(engine_lines, flood_of_bad_lines_is_counted_not_kept) {
    std::string text = "{\"type\":\"hello\",\"protocol\":1}\n";
    for (int i = 0; i < 5000; ++i) text += "}{\n";
    const auto lines = reports::ingest::read_engine_lines(text);
    EXPECT_LE(lines.problems.size(), 22u);
    EXPECT_NE(lines.problems.back().find("4980 more lines"), std::string::npos)
        << lines.problems.back();
}

TEST(engine_lines, bytes_that_are_no_text_are_shown_as_numbers) {
    const auto lines = reports::ingest::read_engine_lines("\x1b[2J\xff\n");
    ASSERT_FALSE(lines.problems.empty());
    EXPECT_NE(lines.problems[0].find("\\x1b[2J\\xff"), std::string::npos) << lines.problems[0];
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// `tare-engine check` as a user runs it: lines, exit codes, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/engine_process.h"

namespace {

using fakes::engine, fakes::json_lines, fakes::small_bf16, fakes::small_nvfp4;
using nlohmann::json;
using testing::AllOf, testing::Contains, testing::HasSubstr;

constexpr const char* short_prompt = "1,45,81,84,12,7,99,1000,4095,3,3,3";

fakes::Result check(std::vector<std::string> names,
                    const std::string& tokens,
                    const std::vector<std::string>& more = {}) {
    names.insert(names.begin(), "check");
    for (const auto& argument : {"--model", small_bf16.c_str(), "--tokens", tokens.c_str()}) {
        names.emplace_back(argument);
    }
    names.insert(names.end(), more.begin(), more.end());
    return engine(names);
}

TEST(EngineCheck, one_check_is_one_object) {
    const auto result = check({"chunked"}, short_prompt, {"--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto lines = json_lines(result.out);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].at("check"), "chunked");
    EXPECT_EQ(lines[0].at("verdict"), "PASS");
    EXPECT_TRUE(lines[0].at("reason").is_null());
    EXPECT_GE(lines[0].at("cases"), 6);
    EXPECT_EQ(lines[0].at("failed"), json::array());
    EXPECT_TRUE(lines[0].at("first_difference").is_null());
}

TEST(EngineCheck, several_end_with_a_summary) {
    const auto result = check({"chunked", "resume", "repeat", "segments"}, short_prompt,
                              {"--json", "--precision", "f64", "--seed", "5", "--threads", "2"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    const auto lines = json_lines(result.out);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[3].at("check"), "segments");
    EXPECT_EQ(lines[4].at("check"), "summary");
    EXPECT_EQ(lines[4].at("verdict"), "PASS");
    EXPECT_EQ(lines[4].at("passed"), 4);
    EXPECT_EQ(lines[4].at("failed"), 0);
    EXPECT_EQ(lines[4].at("skipped"), 0);
}

TEST(EngineCheck, a_breach_is_1_and_its_place_is_named) {
    const auto result = check({"repeat", "chunked"}, short_prompt,
                              {"--json", "--fault", "maths:stale_conv_window"});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    const auto lines = json_lines(result.out);
    EXPECT_EQ(lines.at(0).at("verdict"), "PASS") << "a repeat breaks alike";
    EXPECT_EQ(lines.at(1).at("verdict"), "FAIL");
    const auto first = lines.at(1).at("first_difference");
    EXPECT_EQ(first.at("layer"), 0);
    EXPECT_EQ(first.at("where"), "layer.00.mamba");
    EXPECT_TRUE(first.at("row").is_number_integer());
    EXPECT_TRUE(first.at("column").is_number_integer());
    EXPECT_NE(first.at("a"), first.at("b"));
    EXPECT_THAT(first.at("case").get<std::string>(), HasSubstr("cut at"));
    EXPECT_EQ(lines.at(2).at("verdict"), "FAIL");
    EXPECT_EQ(lines.at(2).at("passed"), 1);
}

TEST(EngineCheck, a_fresh_process_is_one_of_the_repeats) {
    const auto sound = json_lines(check({"repeat"}, "1,2", {"--json", "--threads", "2"}).out);
    EXPECT_EQ(sound.at(0).at("cases"), 5);
    const auto broken =
        json_lines(check({"repeat"}, "1,2", {"--json", "--fault", "maths:unstable_repeat"}).out);
    EXPECT_EQ(broken.at(0).at("verdict"), "FAIL");
    EXPECT_THAT(broken.at(0).at("failed").get<std::vector<std::string>>(),
                Contains("fresh process"));
    EXPECT_TRUE(broken.at(0).at("first_difference").at("layer").is_null());
    EXPECT_EQ(broken.at(0).at("first_difference").at("where"), "embedding");
}

TEST(EngineCheck, a_skip_is_3_and_no_pass) {
    const auto result = check({"chunked"}, "1", {"--json"});
    EXPECT_EQ(result.exit_code, 3);
    const auto line = json_lines(result.out).at(0);
    EXPECT_EQ(line.at("verdict"), "SKIPPED");
    EXPECT_THAT(line.at("reason").get<std::string>(), HasSubstr("1 token"));
    const auto several = check({"repeat", "resume"}, "1", {"--json"});
    EXPECT_EQ(several.exit_code, 3);
    EXPECT_EQ(json_lines(several.out).at(2).at("verdict"), "SKIPPED");
}

TEST(EngineCheck, without_json_each_check_is_a_line) {
    const auto result =
        check({"chunked", "resume"}, short_prompt, {"--fault", "maths:snapshot_keeps_nothing"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, AllOf(HasSubstr("chunked  PASS"), HasSubstr("resume   FAIL"),
                                  HasSubstr("nothing was reused"),
                                  HasSubstr("FAIL: 1 passed, 1 failed, 0 skipped")));
}

TEST(EngineCheck, what_it_cannot_do_is_refused) {
    const auto expect_refused = [](const fakes::Result& result, const std::string& reason) {
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.err, HasSubstr(reason));
        EXPECT_EQ(result.out, "");
    };
    expect_refused(check({}, "1"), "checks is required");
    expect_refused(check({"chunk"}, "1"),
                   "check 'chunk': there is none; there are chunked, resume, repeat, segments");
    expect_refused(check({"chunked"}, "1,4096"), "token 4096 at position 1");
    expect_refused(check({"chunked"}, "1,2", {"--fault", "token:0:0"}),
                   "--fault 'token:0:0': check knows only maths:<name>");
    expect_refused(check({"chunked"}, "1,2", {"--fault", "maths:nonsense"}), "stale_conv_window");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Parsing and matching of planted faults.
#include "engine/trace/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace engine::trace {
namespace {

std::string error_of(const std::string& spec) {
    try {
        parse_fault(spec);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Faults, every_form_is_read) {
    EXPECT_EQ(parse_fault("delay:prefill/*:12.5").percent, 12.5);
    EXPECT_EQ(parse_fault("delay:prefill/*:12.5").pattern, "prefill/*");
    EXPECT_EQ(parse_fault("launch:*/norm:+1").launches, 1);
    EXPECT_EQ(parse_fault("token:2:7").request, 2);
    EXPECT_EQ(parse_fault("token:2:7").position, 7);
    EXPECT_EQ(parse_fault("maths:no_skip").maths, "no_skip");
    EXPECT_EQ(parse_fault("exit:decode/step/*").kind, FaultKind::exit);
    EXPECT_EQ(parse_fault("hang:decode/step/*").kind, FaultKind::hang);
}

TEST(Faults, a_bad_spec_is_refused_with_what_was_wrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"dealy:x:1", "unknown fault 'dealy'"},
        {"", "unknown fault ''"},
        {"delay", "the percent is missing"},
        {"delay:x", "the percent is missing"},
        {"delay:x:much", "percent is 'much'"},
        {"delay:x:-5", "percent is '-5'"},
        {"delay:x:0", "percent is '0'"},
        {"delay:x:nan", "percent is 'nan'"},
        {"delay::5", "the range path is empty"},
        {"launch:x:1", "extra launches are '1'"},
        {"launch:x:+0", "extra launches are '+0'"},
        {"launch:x:+1001", "they must be +1 to +1000"},
        {"token:0", "the position is missing"},
        {"token:-1:0", "request is '-1'"},
        {"token:0:x", "position is 'x'"},
        {"maths", "name of the arithmetic defect is missing"},
        {"exit", "the range path is empty"},
        {"hang:", "the range path is empty"},
    };
    for (const auto& [spec, reason] : cases) {
        const auto error = error_of(spec);
        EXPECT_THAT(error, testing::HasSubstr(reason)) << spec;
        EXPECT_THAT(error, testing::HasSubstr("Accepted forms: delay:<path glob>:<percent>"));
    }
}

TEST(Faults, a_star_matches_any_characters_slashes_too) {
    EXPECT_TRUE(glob_match("decode/step/*/norm", "decode/step/layer.00.mamba/norm"));
    EXPECT_TRUE(glob_match("*/experts.up", "prefill/layer.03.moe/experts.up"));
    EXPECT_TRUE(glob_match("*a*b*", "xxaxbxaxb"));
    EXPECT_TRUE(glob_match("prefill*", "prefill"));
    EXPECT_TRUE(glob_match("**", ""));
}

TEST(Faults, a_glob_has_to_match_the_whole_path) {
    EXPECT_FALSE(glob_match("norm", "prefill/layer.00.mamba/norm"));
    EXPECT_FALSE(glob_match("prefill", "prefill/embedding"));
    EXPECT_FALSE(glob_match("*/norm", "prefill/final_norm"));
    EXPECT_FALSE(glob_match("*ab", "aba"));
    EXPECT_FALSE(glob_match("", "x"));
    EXPECT_FALSE(glob_match("layer?00", "layer.00"));
}

TEST(Faults, strikes_at_one_path_add_up) {
    FaultTable table(std::vector<std::string>{"delay:a/*:10", "delay:*/b:5", "launch:a/b:+3"});
    const auto strike = table.strike("a/b");
    EXPECT_EQ(strike.delay_percent, 15);
    EXPECT_EQ(strike.extra_launches, 3);
    EXPECT_FALSE(strike.exits);
    EXPECT_EQ(table.strike("c").delay_percent, 0);
}

TEST(Faults, a_token_fault_flips_exactly_that_position) {
    FaultTable table(std::vector<std::string>{"token:0:1"});
    std::vector<std::int32_t> tokens{5, 9, 9};
    table.flip_tokens(0, 10, tokens);
    EXPECT_EQ(tokens, (std::vector<std::int32_t>{5, 0, 9}));
}

TEST(Faults, a_token_fault_of_another_request_flips_nothing) {
    FaultTable table(std::vector<std::string>{"token:1:0"});
    std::vector<std::int32_t> tokens{5};
    table.flip_tokens(0, 10, tokens);
    EXPECT_EQ(tokens[0], 5);
}

TEST(Faults, those_that_met_nothing_are_named) {
    FaultTable table(std::vector<std::string>{"delay:a:1", "exit:b", "token:0:4", "maths:x"});
    table.strike("a");
    std::vector<std::int32_t> tokens{1, 2};
    table.flip_tokens(0, 10, tokens);
    EXPECT_EQ(table.unmet(), (std::vector<std::string>{"exit:b", "token:0:4"}));
}

TEST(Faults, only_faults_bound_to_a_path_make_the_path_worth_keeping) {
    EXPECT_FALSE(FaultTable(std::vector<std::string>{"token:0:4", "maths:x"}).watches_paths());
    EXPECT_TRUE(FaultTable(std::vector<std::string>{"maths:x", "hang:a"}).watches_paths());
}

}  // namespace
}  // namespace engine::trace

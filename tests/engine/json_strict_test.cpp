// SPDX-License-Identifier: Apache-2.0
// JSON from outside: depth, keys, encoding, and what messages show of it.
#include "engine/format/json_strict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/scratch_files.h"

namespace {

using engine::format::parse_strictly, engine::format::shown;
using nlohmann::json;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
    return scratch::message_of([&] { parse_strictly(text, "x.json"); });
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

TEST(StrictJson, reads_what_is_well_formed) {
    const auto value = parse_strictly(R"({"a":{"k":1},"b":[{"k":2},{"k":3}],"k":null})", "x.json");
    EXPECT_EQ(value["b"][1]["k"], 3);
    EXPECT_EQ(refusal(nested(64)), "");
}

TEST(StrictJson, ends_before_the_stack_does) {
    EXPECT_EQ(refusal(nested(65)), "x.json: JSON nested deeper than 64 levels");
    EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("deeper than 64"));
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
    EXPECT_THAT(refusal(objects), HasSubstr("deeper than 64"));
}

TEST(StrictJson, a_key_given_twice_is_named) {
    EXPECT_EQ(refusal(R"({"a":{"b":1,"c":2,"b":3}})"),
              "x.json: the key \"b\" is given twice in one object");
}

TEST(StrictJson, a_fault_is_named_with_its_place) {
    EXPECT_THAT(refusal("[1, 2"), HasSubstr("x.json: not JSON at byte 6"));
    EXPECT_THAT(refusal(""), HasSubstr("not JSON at byte 1"));
    EXPECT_THAT(refusal("{\"\xFF\":1}"), HasSubstr("not JSON at byte 3"));
    EXPECT_THAT(refusal("[1e999]"), HasSubstr("not JSON"));
}

TEST(StrictJson, values_are_shown_short) {
    EXPECT_EQ(shown(json::parse("[[1],2]")), "a list of 2");
    EXPECT_EQ(shown(json::parse(R"({"a":1})")), "an object");
    EXPECT_EQ(shown(-7), "-7");
    EXPECT_EQ(shown("\xC3\xA9"), "\"\\u00e9\"");
    EXPECT_EQ(shown(std::string(100, 'x')).size(), 63U);
    EXPECT_EQ(shown("\xFF"), "\"\\ufffd\"");
}

TEST(StrictJson, says_where_and_what_is_wrong_without_the_parsers_own_names) {
    EXPECT_THAT(refusal("[1,\nx]"),
                HasSubstr("not JSON at byte 5: line 2, column 1: syntax error"));
    EXPECT_THAT(refusal("[1e999]"), HasSubstr("x.json: not JSON: number overflow parsing '1e999'"));
    for (const auto* text : {"", "{", "[1e999]", "\"\xFF\""}) {
        EXPECT_THAT(refusal(text), testing::Not(HasSubstr("json.exception"))) << text;
    }
}

}  // namespace

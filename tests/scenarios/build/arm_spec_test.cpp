// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/arm_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/build/shell_words.h"

namespace scenarios::build {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Variables = std::map<std::string, std::string>;

std::string refusal(const std::string& text) {
    try {
        parse_arm(text);
    } catch (const ArmSyntax& error) {
        return error.what();
    }
    return "";
}

TEST(ShellWords, blanks_part_and_quotes_keep) {
    EXPECT_THAT(shell_words("  a  b\tc "), ElementsAre("a", "b", "c"));
    EXPECT_THAT(shell_words("'a b' \"c d\" e\\ f"), ElementsAre("a b", "c d", "e f"));
    EXPECT_THAT(shell_words("a'b'\"c\"d"), ElementsAre("abcd"));
    EXPECT_THAT(shell_words("'' \"\""), ElementsAre("", ""));
    EXPECT_THAT(shell_words(""), IsEmpty());
}

TEST(ShellWords, backslashes_are_those_of_a_posix_shell) {
    EXPECT_THAT(shell_words(R"("a\"b" "a\nb" 'a\b' a\\b)"),
                ElementsAre("a\"b", "a\\nb", "a\\b", "a\\b"));
    EXPECT_THAT(shell_words("$HOME * `x`"), ElementsAre("$HOME", "*", "`x`"));
}

TEST(ShellWords, what_does_not_end_is_refused_with_its_place) {
    EXPECT_THROW(shell_words("a 'b"), ShellSyntax);
    EXPECT_THROW(shell_words("a\\"), ShellSyntax);
    try {
        shell_words("ab \"c");
    } catch (const ShellSyntax& error) {
        EXPECT_THAT(error.what(), HasSubstr("character 4"));
    }
}

TEST(ArmSpec, a_ref_may_hold_what_refs_hold) {
    EXPECT_EQ(parse_arm("HEAD~1").ref, "HEAD~1");
    EXPECT_EQ(parse_arm("origin/feature+x").ref, "origin/feature+x");
    EXPECT_EQ(parse_arm("v1.0^{commit}").ref, "v1.0^{commit}");
}

TEST(ArmSpec, parts_follow_a_ref_or_a_folder) {
    const ArmSpec arm = parse_arm("main+args:\"--moe dense\"+env:A=1+env:B=x=y");
    EXPECT_EQ(arm.ref, "main");
    EXPECT_THAT(arm.arguments, ElementsAre("--moe", "dense"));
    EXPECT_EQ(arm.environment, (Variables{{"A", "1"}, {"B", "x=y"}}));
    const ArmSpec folder = parse_arm("build:/a b/c+args:--isa baseline");
    EXPECT_EQ(folder.build_folder, "/a b/c");
    EXPECT_FALSE(folder.ref);
    EXPECT_THAT(folder.arguments, ElementsAre("--isa", "baseline"));
}

TEST(ArmSpec, a_part_alone_changes_the_build_at_hand) {
    const ArmSpec arm = parse_arm("args:\"--threads 1\"");
    EXPECT_FALSE(arm.ref || arm.build_folder);
    EXPECT_THAT(arm.arguments, ElementsAre("--threads", "1"));
    EXPECT_EQ(parse_arm("env:A=").environment, (Variables{{"A", ""}}));
}

TEST(ArmSpec, a_plus_inside_double_quotes_starts_no_part) {
    const ArmSpec arm = parse_arm("main+args:\"--fault 'a+env:b' +args:x\"");
    EXPECT_THAT(arm.arguments, ElementsAre("--fault", "a+env:b", "+args:x"));
    EXPECT_THAT(parse_arm("main+args:--a+b").arguments, ElementsAre("--a+b"));
}

TEST(ArmSpec, only_a_surrounding_pair_of_quotes_goes) {
    EXPECT_THAT(parse_arm("args:\"a b\" \"c d\"").arguments, ElementsAre("a b", "c d"));
    EXPECT_THAT(parse_arm("args:\"a b\"").arguments, ElementsAre("a", "b"));
}

TEST(ArmSpec, what_is_no_arm_is_refused_with_the_accepted_form) {
    for (const char* text : {"", "-x", "build:", "main+env:A", "main+env:1A=2", "main+args:'x",
                             "main+args:\"x", "a\nb", "main+env:TARE_PROBE_OUT=x"}) {
        EXPECT_THAT(refusal(text), HasSubstr("write REF or build:DIR")) << text;
    }
}

}  // namespace
}  // namespace scenarios::build

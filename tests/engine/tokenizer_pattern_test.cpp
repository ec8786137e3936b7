// SPDX-License-Identifier: Apache-2.0
// Oniguruma's patterns in PCRE2's dialect: what they match, and what is refused.
#include "engine/format/tokenizer_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/format/tokenizer_regex.h"
#include "tests/engine/scratch_files.h"

namespace {

using engine::format::literal_pattern, engine::format::PatternError, engine::format::to_pcre2;
using engine::format::TokenizerRegex;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;
using Texts = std::vector<std::string>;

Texts matches(std::string_view pattern, std::string_view text) {
    const TokenizerRegex regex(to_pcre2(pattern), "pattern");
    Texts result;
    for (const auto& span : regex.find_all(text)) {
        result.emplace_back(text.substr(span.begin, span.end - span.begin));
    }
    return result;
}

std::string refusal(const std::string& pattern) {
    return scratch::message_of([&] { TokenizerRegex(to_pcre2(pattern), "f.json: place"); });
}

TEST(TokenizerPattern, white_space_is_the_property_and_no_more) {
    EXPECT_THAT(matches("\\s", "a \t\v\u0085\u00A0\u3000\u180E\u200B"),
                ElementsAre(" ", "\t", "\v", "\u0085", "\u00A0", "\u3000"));
    EXPECT_THAT(matches("[^\\S\\n]", " \n\u2028x"), ElementsAre(" ", "\u2028"));
}

TEST(TokenizerPattern, words_have_marks_and_connectors) {
    EXPECT_THAT(matches("\\w+", "a\u0301_1-\u203F "), ElementsAre("a\u0301_1", "\u203F"));
    EXPECT_THAT(matches("\\w", "\u00B2\u00BD\u2160"), ElementsAre("\u00B2", "\u00BD", "\u2160"));
    EXPECT_THAT(matches("[\\w]", "\u00B2\u00BD\u2160"), ElementsAre("\u2160"));
    EXPECT_THAT(matches("\\W", "a \u00B2"), ElementsAre(" "));
    EXPECT_THAT(matches("\\bcat\\b", "cat concat cat"), ElementsAre("cat", "cat"));
    EXPECT_THAT(matches("\\Bcat", "cat concat"), ElementsAre("cat"));
}

TEST(TokenizerPattern, digits_are_decimal_ones_of_any_script) {
    EXPECT_THAT(matches("\\d", "1\u0663\u00B2"), ElementsAre("1", "\u0663"));
    EXPECT_THAT(matches("\\D", "1x"), ElementsAre("x"));
}

TEST(TokenizerPattern, anchors_are_of_lines) {
    EXPECT_THAT(matches("^a", "a\nab\ra"), ElementsAre("a", "a"));
    EXPECT_THAT(matches("a$", "a\nba\ra"), ElementsAre("a", "a"));
    EXPECT_THAT(matches(".+", "a\nb\r"), ElementsAre("a", "b\r"));
    EXPECT_THAT(matches("\\Aa", "a\na"), ElementsAre("a"));
}

TEST(TokenizerPattern, intervals_and_braces) {
    EXPECT_THAT(matches("a{,2}b", "aaab"), ElementsAre("aab"));
    EXPECT_THAT(matches("a{2}", "aaaaa"), ElementsAre("aa", "aa"));
    EXPECT_THAT(matches("a{2,}?", "aaaaa"), ElementsAre("aa", "aa"));
    EXPECT_THAT(matches("a{x}", "a{x}"), ElementsAre("a{x}"));
    EXPECT_THAT(matches("{}", "{}"), ElementsAre("{}"));
    EXPECT_THAT(matches("a{,}", "a{,}"), ElementsAre("a{,}"));
    EXPECT_THAT(matches("a++a", "aaa"), IsEmpty());
}

TEST(TokenizerPattern, characters_by_code) {
    EXPECT_THAT(matches("\\x41\\x{1F600}\\u00e9\\v", "A\U0001F600\u00E9\v"),
                ElementsAre("A\U0001F600\u00E9\v"));
    EXPECT_THAT(matches("[\\x{4E00}-\\x{9FA5}\\-]+", "\u4E00-\u9FA5a"),
                ElementsAre("\u4E00-\u9FA5"));
}

TEST(TokenizerPattern, signs_in_classes_are_themselves) {
    EXPECT_THAT(matches("[-a^.*+?(){}|$]+", "-a^.*+?(){}|$b"), ElementsAre("-a^.*+?(){}|$"));
    EXPECT_THAT(matches("[a\\]\\[\\\\-]+", "a][\\-"), ElementsAre("a][\\-"));
    EXPECT_THAT(matches("[^\\r\\n]+", "a\r\nb"), ElementsAre("a", "b"));
}

TEST(TokenizerPattern, groups_look_ahead_and_case) {
    EXPECT_THAT(matches("(?i:'s|'t)|(b)", "'S'tb"), ElementsAre("'S", "'t", "b"));
    EXPECT_THAT(matches("(?i)a|B", "Ab"), ElementsAre("A", "b"));
    EXPECT_THAT(matches("\\s+(?!\\S)|\\s+", "   a"), ElementsAre("  ", " "));
    EXPECT_THAT(matches("(?<=a)b|(?<!a)c", "abcac"), ElementsAre("b", "c"));
    EXPECT_THAT(matches("\\p{^L}\\P{L}\\P{^L}", "12a"), ElementsAre("12a"));
    EXPECT_THAT(matches("\\p{Han}+", "\u4E00\u3042"), ElementsAre("\u4E00"));
}

TEST(TokenizerPattern, an_empty_match_counts_unless_it_follows_another) {
    const TokenizerRegex regex(to_pcre2("a*"), "pattern");
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (const auto& span : regex.find_all("baac\u00E9")) spans.emplace_back(span.begin, span.end);
    EXPECT_THAT(spans,
                ElementsAre(std::pair(0, 0), std::pair(1, 3), std::pair(4, 4), std::pair(6, 6)));
}

TEST(TokenizerPattern, literal_text_matches_itself) {
    const std::string text = "a.*[\\]{2}\u00E9 #\n^$";
    const TokenizerRegex regex(literal_pattern(text), "pattern");
    EXPECT_EQ(regex.find_all(text + "x" + text).size(), 2U);
    EXPECT_EQ(regex.find_all("a..").size(), 0U);
}

TEST(TokenizerPattern, what_has_no_counterpart_is_refused_with_its_offset) {
    const std::pair<const char*, const char*> cases[] = {
        {"ab[c[d]]", "at byte 4 of the pattern: '[' in a class"},
        {"[[:alpha:]]", "at byte 1 of the pattern: '[' in a class"},
        {"[a-z&&b]", "at byte 4 of the pattern: '&&'"},
        {"[]a]", "at byte 1 of the pattern: ']' as the first"},
        {"[a-\\d]", "ends in a set"},
        {"[\\d-z]", "'-' after a set"},
        {"[a-c-e]", "'-' that is no range"},
        {"[\\W]", "the escape '\\W' in a class"},
        {"[a", "at byte 0 of the pattern: a class without end"},
        {"[a-", "a class without end"},
        {"(a)\\1", "at byte 3 of the pattern: the escape '\\1'"},
        {"\\h", "the escape '\\h'"},
        {"\\R", "the escape '\\R'"},
        {"\\K", "the escape '\\K'"},
        {"\\G", "the escape '\\G'"},
        {"a\\", "at byte 1 of the pattern: a backslash at the end"},
        {"(?<name>a)", "at byte 0 of the pattern: the group"},
        {"a(?i)b", "at byte 1 of the pattern: the group"},
        {"(?m:a)", "the group"},
        {"(*UTF)a", "a quantifier that comes after nothing"},
        {"*a", "a quantifier that comes after nothing"},
        {"a**", "a quantifier that comes after another one"},
        {"a{2}?", "'?' after {n}"},
        {"a{1,2}+", "'+' after {n,m}"},
        {"\\pL", "without braces"},
        {"\\p{L", "without braces"},
        {"\\p{L&}", "not of letters"},
        {"\\xE9", "which mean bytes"},
        {"\\u00", "a character code that is none"},
        {"\\x{}", "a character code that is none"},
    };
    for (const auto& [pattern, reason] : cases) {
        EXPECT_THAT(refusal(pattern), HasSubstr(reason)) << pattern;
    }
}

TEST(TokenizerPattern, what_pcre2_refuses_comes_with_its_words_and_the_offset) {
    const std::pair<const char*, const char*> cases[] = {
        {"\\s(a", "at byte 4 of the pattern: missing closing parenthesis"},
        {"\\s\\sa)", "at byte 5 of the pattern: unmatched closing parenthesis"},
        {"\\p{Nonsense}", "of the pattern: unknown property"},
        {"a{5,2}", "of the pattern: numbers out of order"},
        {"[z-a]", "of the pattern: range out of order"},
        {"\\x{110000}", "of the pattern: character code point value"},
        {"\\x{D800}", "of the pattern: disallowed Unicode code point"},
        {"(?<=a*)b", "of the pattern: lookbehind assertion is not fixed length"},
    };
    for (const auto& [pattern, reason] : cases) {
        EXPECT_THAT(refusal(pattern), HasSubstr(reason)) << pattern;
        EXPECT_THAT(refusal(pattern), testing::StartsWith("f.json: place: ")) << pattern;
    }
    EXPECT_THAT(refusal(std::string(70'000, 'a')), HasSubstr("70000 bytes; accepted: up to 65536"));
    EXPECT_THAT(refusal(std::string(1'000, '(') + std::string(1'000, ')')),
                HasSubstr("parentheses are too deeply nested"));
}

// Patterns that backtrack without end must give up, and sensible ones must not.
TEST(TokenizerRegexLimits, a_hostile_pattern_gives_up) {
    const std::string many_a(4'000, 'a');
    for (const auto* pattern :
         {"(a*)*[bc]", "(?:a|aa)+[bc]", "(a+)+[bc]", "a*a*a*a*a*a*[bc]", "(?:a?){60}[bc]"}) {
        const TokenizerRegex regex(to_pcre2(pattern), "f.json: place");
        const auto message = scratch::message_of([&] { regex.find_all(many_a); });
        EXPECT_THAT(message, testing::AllOf(HasSubstr("f.json: place: at byte 0 of a text of 4000"),
                                            HasSubstr("backtracks beyond")))
            << pattern;
    }
}

TEST(TokenizerRegexLimits, long_runs_are_no_reason_to_give_up) {
    const auto* tekken =
        R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
        R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}|)"
        R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    const TokenizerRegex regex(to_pcre2(tekken), "pattern");
    for (const char c : {'a', 'A', ' ', '\n', '.'}) {
        EXPECT_EQ(regex.find_all(std::string(1'000'000, c)).size(), 1U) << c;
    }
    EXPECT_EQ(regex.find_all(std::string(1'000'000, ' ') + "x").size(), 2U);
    const TokenizerRegex group(to_pcre2("(?:ab|c)+"),
                               "pattern");  // beyond the stack of compiled code
    std::string pairs;
    for (int i = 0; i < 100'000; ++i) pairs += "ab";
    EXPECT_EQ(group.find_all(pairs).size(), 1U);
}

}  // namespace

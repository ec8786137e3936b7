// SPDX-License-Identifier: Apache-2.0
// Figures as people read them; UTF-8 is measured in columns and never cut inside a character.
#include "reports/render/text.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/render/document.h"

namespace {

using namespace reports::render;

TEST(text, durations_have_four_digits_and_a_unit) {
    EXPECT_EQ(duration(std::nullopt), "-");
    EXPECT_EQ(duration(0), "0 ns");
    EXPECT_EQ(duration(999), "999 ns");
    EXPECT_EQ(duration(366.63), "366.6 ns");
    EXPECT_EQ(duration(1500), "1.500 µs");
    EXPECT_EQ(duration(12'345'678), "12.35 ms");
    EXPECT_EQ(duration(-2.5e9), "-2.500 s");
    EXPECT_EQ(duration(std::numeric_limits<double>::infinity()), "-");
}

TEST(text, quantities_are_grouped_and_rates_scaled) {
    EXPECT_EQ(quantity(1234567.0), "1,234,567");
    EXPECT_EQ(quantity(-1000.0), "-1,000");
    EXPECT_EQ(quantity(12.0), "12");
    EXPECT_EQ(quantity(std::nullopt), "-");
    EXPECT_EQ(scaled(4.23e12, "B/s"), "4.230 TB/s");
    EXPECT_EQ(scaled(0.5, "B/s"), "0.500 B/s");
    EXPECT_EQ(percent(0.1234), "12.3 %");
    EXPECT_EQ(percent(0.00004), "0.00 %");
    EXPECT_EQ(percent(std::nullopt), "-");
}

TEST(text, range_of_one_value_is_unknown) {
    EXPECT_EQ(range(std::nullopt), "-");
    EXPECT_EQ(range(reports::Spread{5, 5, 5, 1}), "-");
    EXPECT_EQ(range(reports::Spread{2e6, 1e6, 3e6, 3}), "1.000..3.000 ms");
}

TEST(text, columns_count_characters_not_bytes) {
    EXPECT_EQ(columns("µs"), 2);
    EXPECT_EQ(columns("模型"), 4);
    EXPECT_EQ(columns("e\xcc\x81"), 1);  // combining accent
    EXPECT_EQ(columns("\xff\xfe"), 2);   // no UTF-8
}

TEST(text, fitted_cuts_the_middle_between_characters) {
    EXPECT_EQ(fitted("short", 10), "short");
    EXPECT_EQ(fitted("layer.03.moe/experts.up", 12), "lay…perts.up");
    EXPECT_EQ(columns(fitted("模型模型模型模型", 8)), 7);  // half a character fits nobody
    EXPECT_EQ(fitted("abc", 0), "");
}

TEST(text, wrapped_breaks_between_words_and_keeps_spaces) {
    EXPECT_EQ(wrapped("one two three", 80, 2), "one two three");
    EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
    EXPECT_EQ(wrapped("ab   cd", 80, 2), "ab   cd");
    EXPECT_EQ(wrapped("unbreakable", 3, 2), "unbreakable");
    EXPECT_EQ(wrapped("by -9.51 % (5 %)", 9, 0), "by\n-9.51 %\n(5 %)");
    EXPECT_EQ(wrapped("5 %", 1, 0), "5 %");
    EXPECT_EQ(wrapped("µµ µµ", 5, 0), "µµ µµ");
}

TEST(document, terminal_table_is_aligned_and_fits) {
    Section section{
        .title = "T",
        .columns = {{"name", Align::left, true}, {"µ"}, {"opt", Align::right, false, 1}},
        .rows = {{"a very long name that will not fit in there", "1", "9999999999"},
                 {"模型", "22", "x"}},
        .closing_rows = 1};
    const std::string out = to_terminal({.title = "title", .sections = {section}}, 30, false);
    std::size_t start = 0;
    for (std::size_t end; (end = out.find('\n', start)) != std::string::npos; start = end + 1) {
        EXPECT_LE(columns(out.substr(start, end - start)), 30) << out;
    }
    EXPECT_NE(out.find("left out in this width: opt"), std::string::npos) << out;
    EXPECT_EQ(out.find("9999999999"), std::string::npos);
    EXPECT_EQ(out.find('\033'), std::string::npos);
}

TEST(document, wide_terminal_shows_everything) {
    const Section section{.title = "T",
                          .columns = {{"name", Align::left, true}, {"opt", Align::right, false, 1}},
                          .rows = {{"abc", "5"}}};
    EXPECT_EQ(to_terminal({.title = "x", .sections = {section}}, 80, false),
              "x\n\nT\nname  opt\nabc     5\n");
    EXPECT_NE(to_terminal({.title = "x", .sections = {section}}, 80, true).find("\033[1m"),
              std::string::npos);
}

TEST(document, markdown_escapes_what_would_break_the_table) {
    const Section section{.title = "T", .columns = {{"a|b", Align::left}}, .rows = {{"x|y\nz"}}};
    const std::string out = to_markdown({.title = "x", .sections = {section}});
    EXPECT_NE(out.find("| a\\|b |\n|:---|\n| x\\|y z |\n"), std::string::npos) << out;
}

TEST(document, shows_what_would_steer_a_terminal) {
    const std::string hostile = "a\033[31m\n\xff", shown = "a\\u{1b}[31m\\n\\xff";
    const reports::render::Section section{
        .title = hostile, .columns = {{hostile}}, .rows = {{hostile}}, .notes = {hostile}};
    const reports::render::Document document{.title = hostile,
                                             .header = {{hostile, hostile}},
                                             .alarms = {hostile},
                                             .sections = {section},
                                             .footer = {hostile}};
    for (const std::string& text : {to_terminal(document, 80, false), to_markdown(document)}) {
        EXPECT_EQ(text.find_first_of("\033\xff"), std::string::npos) << text;
        EXPECT_NE(text.find("u{1b}"), std::string::npos) << text;
    }
    EXPECT_NE(to_terminal(document, 80, false).find(shown), std::string::npos);
}

}  // namespace

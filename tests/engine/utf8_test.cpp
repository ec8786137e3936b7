// SPDX-License-Identifier: Apache-2.0
// Well-formed and ill-formed UTF-8. Expected replacements are those of the Unicode Standard,
// section 3.9, "Substitution of Maximal Subparts", tables 3-8 to 3-11.
#include "engine/format/utf8.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace utf8 = engine::format::utf8;
using std::string_literals::operator""s;
using Kind = utf8::Sequence::Kind;

const std::string r = "\xEF\xBF\xBD";

TEST(Utf8, every_code_point_but_the_surrogates_is_one_character) {
    for (char32_t code = 0; code < 0x110000; ++code) {
        std::string bytes;
        if (code < 0x80) {
            bytes = {static_cast<char>(code)};
        } else if (code < 0x800) {
            bytes = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
        } else if (code < 0x10000) {
            bytes = {static_cast<char>(0xE0 | code >> 12),
                     static_cast<char>(0x80 | (code >> 6 & 63)),
                     static_cast<char>(0x80 | (code & 63))};
        } else {
            bytes = {
                static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 63)),
                static_cast<char>(0x80 | (code >> 6 & 63)), static_cast<char>(0x80 | (code & 63))};
        }
        const bool surrogate = code >= 0xD800 && code < 0xE000;
        const auto sequence = utf8::first_sequence(bytes);
        ASSERT_EQ(sequence.kind == Kind::character, !surrogate) << static_cast<std::uint32_t>(code);
        if (surrogate) continue;
        ASSERT_EQ(sequence.bytes, bytes.size());
        ASSERT_EQ(utf8::code_point(bytes), code);
        const auto text = "a" + bytes + "b";
        ASSERT_EQ(utf8::character_at(text, 1), bytes);
        ASSERT_EQ(utf8::before(text, 1 + bytes.size()), 1U);
    }
}

TEST(Utf8, each_ill_formed_part_becomes_one_replacement) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", ""},
        {"abc", "abc"},
        {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", r + r + r + r + r + r + r + r + "A"},
        {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", r + r + r + r + r + r + r + r + "A"},
        {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", r + r + r + r + r + "A" + r + r + "B"},
        {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", r + r + r + r + "A"},
        {"a\xE2\x82", "a" + r},
        {"\xF0\x9F\x98", r},
        {"\xF0\x9F\x98\x80\x80", "\xF0\x9F\x98\x80" + r},
    };
    for (const auto& [bytes, text] : cases) {
        EXPECT_EQ(utf8::with_replacements(bytes), text) << testing::PrintToString(bytes);
        EXPECT_EQ(utf8::first_fault(utf8::with_replacements(bytes)), std::string::npos);
    }
}

TEST(Utf8, the_first_fault_is_the_offset_of_its_first_byte) {
    EXPECT_EQ(utf8::first_fault("ab\xFF"), 2U);
    EXPECT_EQ(utf8::first_fault("\xC3\xA9\xE2\x82"), 2U);
    EXPECT_EQ(utf8::first_fault("a\0b"s), std::string::npos);
}

// Whatever the cut, the parts put together are the whole; every part is well-formed.
TEST(Utf8, what_is_final_can_be_taken_byte_by_byte) {
    const std::string bytes =
        "a\xC3\xA9\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41\xF0\x9F\x98\x80\xFF\xE2\x82";
    std::string pending, text;
    for (const char byte : bytes) {
        pending += byte;
        const auto part = utf8::take_final(pending);
        EXPECT_EQ(utf8::first_fault(part), std::string::npos);
        EXPECT_LE(pending.size(), 3U);
        text += part;
    }
    EXPECT_EQ(text + utf8::with_replacements(pending), utf8::with_replacements(bytes));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// What arguments and files say cannot steer the terminal that shows it.
#include "engine/format/printable.h"

#include <gtest/gtest.h>

namespace {

using engine::format::printable, engine::format::printable_lines;

TEST(Printable, text_stays_as_it_is) {
    EXPECT_EQ(printable("layer.03 'ä€𝄞' \\ \""), "layer.03 'ä€𝄞' \\ \"");
    EXPECT_EQ(printable(""), "");
}

TEST(Printable, controls_are_escaped) {
    EXPECT_EQ(printable("a\x1b[31mb\x07\x7f"), "a\\u{1b}[31mb\\u{7}\\u{7f}");
    EXPECT_EQ(printable("a\r\n\tb"), "a\\r\\n\\tb");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\u{0}");
    EXPECT_EQ(printable("\xC2\x9B[2J"), "\\u{9b}[2J");  // CSI of one character
    EXPECT_EQ(printable("\xE2\x80\xAE"
                        "abc"),
              "\\u{202e}abc");  // right to left from here
}

TEST(Printable, bytes_that_are_no_UTF8_are_numbers) {
    EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");
    EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82");
}

TEST(Printable, only_lines_of_ours_end) {
    EXPECT_EQ(printable_lines("a\n\x1b"), "a\n\\u{1b}");
}

}  // namespace

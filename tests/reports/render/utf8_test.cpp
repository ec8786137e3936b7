// SPDX-License-Identifier: Apache-2.0
#include "reports/render/utf8.h"

#include <gtest/gtest.h>

namespace {

using reports::render::repaired;
using reports::render::utf8_bytes;

TEST(utf8, well_formed_text_stays_as_it_is) {
    const std::string text = "a µ € 𝄞 \xf4\x8f\xbf\xbf";
    EXPECT_EQ(repaired(text), text);
    EXPECT_EQ(utf8_bytes("€"), 3u);
    EXPECT_EQ(repaired(""), "");
}

TEST(utf8, overlong_surrogate_cut_and_stray_bytes_are_replaced_one_by_one) {
    const std::string bad = "\xef\xbf\xbd";
    EXPECT_EQ(repaired("a\xc0\xaf"
                       "b"),
              "a" + bad + bad + "b");
    EXPECT_EQ(repaired("\xed\xa0\x80"), bad + bad + bad);
    EXPECT_EQ(repaired("\xe2\x82"), bad + bad);
    EXPECT_EQ(repaired("\xf4\x90\x80\x80"), bad + bad + bad + bad);
    EXPECT_EQ(repaired("\x80"), bad);
}

}  // namespace

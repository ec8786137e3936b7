// SPDX-License-Identifier: Apache-2.0
#include "reports/export/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace {

using namespace reports::exports;

std::string micros(std::int64_t ns) {
    std::string out;
    append_micros(out, ns);
    return out;
}

std::string number(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

std::string text(std::string_view value) {
    std::string out;
    append_text(out, value);
    return out;
}

TEST(json_text, microseconds_keep_every_nanosecond) {
    EXPECT_EQ(micros(0), "0.000");
    EXPECT_EQ(micros(1), "0.001");
    EXPECT_EQ(micros(12'277'268'848'467), "12277268848.467");
    EXPECT_EQ(micros(-1'001), "-1.001");
    EXPECT_EQ(micros(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
    EXPECT_EQ(micros(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
}

TEST(json_text, numbers_are_whole_where_they_are_and_null_where_there_is_none) {
    EXPECT_EQ(number(4e8), "400000000");
    EXPECT_EQ(number(-0.25), "-0.25");
    EXPECT_EQ(number(std::nan("")), "null");
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
    EXPECT_EQ(nlohmann::json::parse(number(1e300)).get<double>(), 1e300);
}

TEST(json_text, any_bytes_become_a_text_that_parses_and_shows_what_it_can) {
    EXPECT_EQ(text("a\"b\\c\n\x7f"), R"("a\"b\\c\u000a\u007f")");
    const std::string bad = "\xef\xbf\xbd";
    EXPECT_EQ(text("µ\xff\xc0\x80\xed\xa0\x80\xf5"),
              "\"µ" + bad + bad + bad + bad + bad + bad + bad + "\"");
    std::string all;
    for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
    const auto parsed = nlohmann::json::parse(text(all)).get<std::string>();
    EXPECT_EQ(parsed.substr(0, 128), all.substr(0, 128));
}

}  // namespace

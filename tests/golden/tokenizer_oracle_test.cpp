// SPDX-License-Identifier: Apache-2.0
// The tokenizer against the `tokenizers` package: hostile texts, random ids, every code point.
// tests/golden/tools/tokenizer_cases.py makes the texts, the variants and what is expected.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/format/tokenizer.h"
#include "engine/format/tokenizer_regex.h"
#include "engine/format/utf8.h"
#include "tests/fakes/run_process.h"
#include "tests/fakes/temporary.h"
#include "tests/golden/later_code_points.h"

namespace {

using engine::format::TextStream, engine::format::Tokenizer;
using nlohmann::json;
namespace fs = std::filesystem;

const std::string golden_folder = TARE_SOURCE_DIR "/tests/golden";
const std::string recorded = golden_folder + "/tokenizer-cases.jsonl";

struct Counts {
    int texts = 0;
    int ids = 0;  // lists that no text gives
    int classes = 0;
    std::size_t variants = 0;
};

std::string streamed(const Tokenizer& tokenizer, const std::vector<std::int32_t>& ids) {
    TextStream stream(tokenizer);
    std::string text;
    for (const auto id : ids) text += stream.push(id);
    return text + stream.finish();
}

void check_case(const Tokenizer& tokenizer, const json& wanted, Counts& counts) {
    const auto ids = wanted.at("i").get<std::vector<std::int32_t>>();
    const bool has_text = wanted.contains("t");
    const auto text = wanted.value("t", "");
    if (has_text) {
        EXPECT_EQ(json(tokenizer.encode(text)), wanted.at("i")) << wanted;
    }
    const auto decoded = wanted.value("d", text);
    EXPECT_EQ(tokenizer.decode(ids), decoded) << wanted;
    EXPECT_EQ(streamed(tokenizer, ids), decoded) << wanted;
    EXPECT_EQ(tokenizer.decode(ids, true), wanted.value("s", decoded)) << wanted;
    ++(has_text ? counts.texts : counts.ids);
}

bool is_later(std::uint32_t code) {
    const auto holds = [code](const auto& ranges) {
        return std::any_of(std::begin(ranges), std::end(ranges), [code](const auto& range) {
            return code >= range.first && code <= range.last;
        });
    };
    return holds(golden::assigned_after_unicode_14) || holds(golden::changed_after_unicode_14);
}

std::string utf8_of(std::uint32_t code) {
    const auto tail = [code](int shift) {
        return static_cast<char>(0x80 | (code >> shift & 0x3F));
    };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

const std::string& every_character() {
    static const std::string text = [] {
        std::string all;
        for (std::uint32_t code = 0; code < 0x110000; ++code) {
            if (code < 0xD800 || code >= 0xE000) all += utf8_of(code);
        }
        return all;
    }();
    return text;
}

// The code points that a pattern of one character matches, as flags.
std::vector<bool> matched(const std::string& pattern) {
    const engine::format::TokenizerRegex regex(engine::format::to_pcre2(pattern), pattern);
    const std::string_view text = every_character();
    std::vector<bool> flags(0x110000);
    for (const auto& span : regex.find_all(text)) {
        flags[engine::format::utf8::code_point(text.substr(span.begin, span.end - span.begin))] =
            true;
    }
    return flags;
}

void check_class(const json& wanted, Counts& counts) {
    const auto pattern = wanted.at("class").get<std::string>();
    std::vector<bool> expected(0x110000);
    for (const auto& range : wanted.at("ranges")) {
        for (std::uint32_t code = range[0]; code <= range[1]; ++code) expected[code] = true;
    }
    const auto seen = matched(pattern);
    int wrong = 0;
    for (std::uint32_t code = 0; code < 0x110000; ++code) {
        if (seen[code] == expected[code] || is_later(code)) continue;
        ADD_FAILURE() << pattern << ": code point " << json(code) << " is "
                      << (seen[code] ? "matched" : "not matched");
        if (++wrong == 5) break;
    }
    ++counts.classes;
}

// Every line of a file that the script wrote.
Counts check(const fs::path& file) {
    const auto shipped =
        json::parse(std::ifstream(TARE_SOURCE_DIR "/scenarios/models/small-bf16/tokenizer.json"));
    std::ifstream lines(file);
    std::map<std::string, Tokenizer> variants;
    Counts counts;
    for (std::string line; std::getline(lines, line) && !testing::Test::HasFailure();) {
        const auto wanted = json::parse(line);
        if (wanted.contains("class")) {
            check_class(wanted, counts);
        } else if (wanted.contains("v")) {
            check_case(variants.at(wanted.at("v")), wanted, counts);
        } else {
            for (const auto& [name, patch] : wanted.at("variants").items()) {
                auto patched = shipped;
                patched.merge_patch(patch);
                variants.emplace(name, Tokenizer::parse(patched.dump(), name));
            }
        }
    }
    counts.variants = variants.size();
    return counts;
}

TEST(TokenizerOracle, recorded_texts_ids_and_classes_are_met) {
    const auto counts = check(recorded);
    EXPECT_GE(counts.texts, 1'000);
    EXPECT_GE(counts.ids, 250);
    EXPECT_GE(counts.classes, 35);
    EXPECT_GE(counts.variants, 18U);
}

TEST(TokenizerOracle, ten_thousand_texts_are_met_by_the_package_itself) {
    const std::string python = TARE_SOURCE_DIR "/build/test-python/bin/python";
    if (!fs::exists(python)) {
        const auto reason = python + " is missing; ci/setup --tests makes it";
        if (std::getenv("TARE_REQUIRE_TEST_TOOLS") != nullptr) FAIL() << reason;
        GTEST_SKIP() << reason;
    }
    const bool is_long = std::getenv("TARE_LONG_TESTS") != nullptr;
    const fakes::TemporaryFolder folder;
    const auto file = folder.path() / "cases.jsonl";
    const auto script =
        fakes::run({python, golden_folder + "/tools/tokenizer_cases.py", file.string(), "--strings",
                    "10000", "--variant-strings", is_long ? "10000" : "1500", "--no-classes"},
                   {.timeout_s = 600});
    ASSERT_EQ(script.exit_code, 0) << script.err;
    const auto counts = check(file);
    EXPECT_GE(counts.texts, 37'000);
    EXPECT_GE(counts.variants, 18U);
}

// The table of exceptions must stay one of code points that PCRE2 cannot know.
TEST(TokenizerOracle, excepted_code_points_are_unassigned_to_pcre2) {
    const auto unassigned = matched("\\p{Cn}");
    std::size_t count = 0;
    for (const auto& range : golden::assigned_after_unicode_14) {
        for (auto code = range.first; code <= range.last; ++code, ++count) {
            EXPECT_TRUE(unassigned[code]) << json(code);
        }
    }
    EXPECT_EQ(count, 10'301U);
}

}  // namespace

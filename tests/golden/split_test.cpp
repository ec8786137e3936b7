// SPDX-License-Identifier: Apache-2.0
// A row's result does not depend on the rows that share its call: however a sequence is cut into
// calls, its logits are the same bytes.
#include <gtest/gtest.h>

#include <span>

#include "tests/golden/golden.h"

namespace {

using engine::model::LogitsBlock;
using engine::model::Precision;
using engine::model::Rows;
using engine::model::Session;

// Logits of every row, the prompt cut into calls of the given sizes, the last one repeated.
template <class T>
std::vector<T> logits(const std::string& weights,
                      std::span<const std::int32_t> prompt,
                      const std::vector<std::size_t>& cuts) {
    engine::trace::Tracer tracer;
    Session session(golden::model(weights),
                    {.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64,
                     .threads = 2,
                     .max_tokens = static_cast<std::int64_t>(prompt.size())},
                    tracer);
    std::vector<T> result;
    for (std::size_t call = 0; !prompt.empty(); ++call) {
        const std::size_t rows = std::min(cuts[std::min(call, cuts.size() - 1)], prompt.size());
        session.forward(prompt.first(rows), Rows::all, [&](const LogitsBlock& block) {
            const T* p = nullptr;
            if constexpr (sizeof(T) == 4)
                p = block.f32;
            else
                p = block.f64;
            result.insert(result.end(), p, p + block.rows * block.vocab);
        });
        prompt = prompt.subspan(rows);
    }
    return result;
}

class Split : public testing::TestWithParam<const char*> {};

TEST_P(Split, one_token_at_a_time_is_the_same_as_all_at_once) {
    const auto tokens = golden::tokens(golden::values("public", GetParam()), "psa.tokens");
    EXPECT_EQ(logits<float>(GetParam(), tokens, {333}), logits<float>(GetParam(), tokens, {1}));
}

TEST_P(Split, float64_does_not_see_the_cuts_either) {
    const auto tokens = golden::tokens(golden::values("public", GetParam()), "doc64.tokens");
    EXPECT_EQ(logits<double>(GetParam(), tokens, {64}), logits<double>(GetParam(), tokens, {1}));
}

TEST_P(Split, cuts_at_odd_places_are_the_same_as_none) {
    const auto tokens = golden::tokens(golden::values("public", GetParam()), "rowid.tokens");
    EXPECT_EQ(logits<float>(GetParam(), tokens, {632}),
              logits<float>(GetParam(), tokens, {1, 5, 17, 120, 7, 8, 300, 3, 64}));
}

INSTANTIATE_TEST_SUITE_P(Models, Split, testing::Values("bf16", "nvfp4"));

// Past 1,024 keys attention adds up partial softmaxes: a step and a tile of rows do it alike.
TEST(SplitLong, segments_of_keys_are_merged_alike_by_steps_and_by_tiles) {
    const auto all = golden::tokens(golden::values("public", "bf16"), "long4314.tokens");
    const std::vector<std::int32_t> tokens(all.begin(), all.begin() + 1100);
    EXPECT_EQ(logits<float>("bf16", tokens, {1100}), logits<float>("bf16", tokens, {1000, 1}));
}

}  // namespace

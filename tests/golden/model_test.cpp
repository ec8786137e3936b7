// SPDX-License-Identifier: Apache-2.0
// The engine against the float64 goldens: logits, losses and every greedy token.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/golden/golden.h"

namespace {

using engine::model::Isa;
using engine::model::Precision;
using golden::Settings;

struct Prompt {
    const char* weights;
    const char* name;
};

std::ostream& operator<<(std::ostream& out, const Prompt& prompt) {
    return out << prompt.weights << "_" << prompt.name;
}

constexpr Prompt prompts[] = {
    {"bf16", "one"},  {"bf16", "short"},  {"bf16", "doc64"},  {"bf16", "psa"},  {"bf16", "rowid"},
    {"nvfp4", "one"}, {"nvfp4", "short"}, {"nvfp4", "doc64"}, {"nvfp4", "psa"}, {"nvfp4", "rowid"}};

// Logits of the last row within `tolerance`, every greedy token equal.
void expect_golden(const Prompt& prompt, Precision precision, double tolerance) {
    const auto& file = golden::values("public", prompt.weights);
    const std::string name = prompt.name;
    const auto greedy = golden::tokens(file, name + ".greedy");
    const auto result = golden::generate(prompt.weights, golden::tokens(file, name + ".tokens"),
                                         static_cast<int>(greedy.size()), {.precision = precision});
    EXPECT_LE(golden::relative_l2(result, golden::numbers(file, name + ".last_logits")), tolerance);
    EXPECT_EQ(result.greedy, greedy);
    const auto margins = golden::numbers(file, name + ".greedy_margin");
    for (std::size_t i = 0; i < margins.size(); ++i) {
        EXPECT_NEAR(result.margins[i], margins[i], 1e-3) << "step " << i;
    }
}

void expect_losses(const std::string& set, const Prompt& prompt, Precision precision) {
    const auto& file = golden::values(set, prompt.weights);
    const std::string name = prompt.name;
    const auto tokens = golden::tokens(file, name + ".tokens");
    const auto scores = golden::score(prompt.weights, tokens, {.precision = precision});
    const auto nll = golden::numbers(file, name + ".nll");
    const auto argmax = golden::tokens(file, name + ".argmax");
    const auto margins = golden::numbers(file, name + ".margin");
    ASSERT_EQ(scores.nll.size(), nll.size());
    ASSERT_EQ(scores.argmax.size(), argmax.size());
    for (std::size_t i = 0; i < nll.size(); ++i) {
        ASSERT_NEAR(scores.nll[i], nll[i], 1e-4) << name << ", position " << i;
    }
    for (std::size_t i = 0; i < argmax.size(); ++i) {
        if (margins[i] < 1e-3) continue;  // a tie for float32
        ASSERT_EQ(scores.argmax[i], argmax[i]) << name << ", position " << i;
    }
}

class Golden : public testing::TestWithParam<Prompt> {};

TEST_P(Golden, float64_meets_the_reference) {
    expect_golden(GetParam(), Precision::f64, 1e-6);
}

TEST_P(Golden, float32_meets_the_reference) {
    expect_golden(GetParam(), Precision::f32, 1e-4);
}

TEST_P(Golden, losses_meet_the_reference) {
    expect_losses("public", GetParam(), Precision::f32);
}

// Bit for bit: 1 and 2 threads, the least and the best instruction set.
TEST_P(Golden, threads_and_instruction_sets_give_the_same_bytes) {
    const auto& file = golden::values("public", GetParam().weights);
    const auto tokens = golden::tokens(file, std::string(GetParam().name) + ".tokens");
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const auto first =
            golden::generate(GetParam().weights, tokens, 4,
                             {.precision = precision, .threads = 1, .isa = Isa::baseline});
        for (const Settings& settings :
             {Settings{precision, 2, Isa::baseline, {}}, Settings{precision, 1, Isa::automatic, {}},
              Settings{precision, 2, Isa::automatic, {}},
              Settings{precision, 5, Isa::automatic, {}}}) {
            const auto other = golden::generate(GetParam().weights, tokens, 4, settings);
            ASSERT_EQ(first.logits_f32.size(), other.logits_f32.size());
            EXPECT_EQ(std::memcmp(first.logits_f32.data(), other.logits_f32.data(),
                                  first.logits_f32.size() * sizeof(float)),
                      0);
            ASSERT_EQ(first.logits_f64.size(), other.logits_f64.size());
            EXPECT_EQ(std::memcmp(first.logits_f64.data(), other.logits_f64.data(),
                                  first.logits_f64.size() * sizeof(double)),
                      0);
            EXPECT_EQ(first.margins, other.margins);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Prompts,
                         Golden,
                         testing::ValuesIn(prompts),
                         testing::PrintToStringParamName());

constexpr Prompt long_prompt{"bf16", "long4314"};

TEST(GoldenLong, float32_meets_the_reference) {
    expect_golden(long_prompt, Precision::f32, 1e-4);
}

TEST(GoldenLong, losses_meet_the_reference) {
    expect_losses("public", long_prompt, Precision::f32);
}

TEST(GoldenLong, float64_meets_the_reference) {
    expect_golden(long_prompt, Precision::f64, 1e-6);
}

class Texts : public testing::TestWithParam<const char*> {};

TEST_P(Texts, losses_of_held_out_texts_meet_the_reference) {
    const auto& file = golden::values("texts", GetParam());
    int texts = 0;
    for (const auto& [name, tensor] : file.tensors()) {
        const std::string end = ".tokens";
        if (name.size() < end.size() || name.substr(name.size() - end.size()) != end) continue;
        const std::string text = name.substr(0, name.size() - end.size());
        expect_losses("texts", {GetParam(), text.c_str()}, Precision::f32);
        ++texts;
    }
    EXPECT_EQ(texts, 7);
}

INSTANTIATE_TEST_SUITE_P(Models, Texts, testing::Values("bf16", "nvfp4"));

}  // namespace

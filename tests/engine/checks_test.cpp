// SPDX-License-Identifier: Apache-2.0
// Token checks: sound sessions pass, every planted breach is seen and its place named.
#include "engine/checks/checks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/checks/tally.h"

namespace {

using namespace engine::checks;
using engine::model::Model;
using engine::model::Precision;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Model& small(const std::string& weights = "nvfp4") {
    static const Model bf16 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16");
    static const Model nvfp4 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-nvfp4");
    return weights == "bf16" ? bf16 : nvfp4;
}

std::vector<std::int32_t> some_tokens(std::size_t count) {
    std::vector<std::int32_t> tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<std::int32_t>(i * 37 % 4096);
    return tokens;
}

Subject subject(std::size_t tokens, std::vector<std::string> faults = {}) {
    return {.model = small(),
            .options = {.threads = 2, .maths_faults = std::move(faults)},
            .tokens = some_tokens(tokens)};
}

void expect_sound(const Check& check, const Subject& sound) {
    const Outcome outcome = check.run(sound);
    EXPECT_EQ(outcome.verdict, Verdict::pass) << check.name << ": " << outcome.reason;
    EXPECT_GE(outcome.cases, 3) << check.name;
    EXPECT_EQ(outcome.reason, "");
    EXPECT_FALSE(outcome.first_difference);
    EXPECT_THAT(outcome.failed, ElementsAre());
}

class Sound : public testing::TestWithParam<std::tuple<const char*, Precision, const char*>> {
  protected:
    static void expect_pass(std::size_t tokens) {
        const auto& [weights, precision, check] = GetParam();
        expect_sound(*find(check), {.model = small(weights),
                                    .options = {.precision = precision, .threads = 2},
                                    .tokens = some_tokens(tokens)});
    }
};

INSTANTIATE_TEST_SUITE_P(
    Models,
    Sound,
    testing::Combine(testing::Values("bf16", "nvfp4"),
                     testing::Values(Precision::f32, Precision::f64),
                     testing::Values("chunked", "resume", "repeat", "segments")));

TEST_P(Sound, sessions_pass) {
    expect_pass(2);
    expect_pass(131);
}

TEST(SoundSessions, pass_on_the_long_prompt_slow) {
    std::ifstream file(TARE_SOURCE_DIR "/scenarios/prompts/long4314.json");
    const auto tokens = nlohmann::json::parse(file).get<std::vector<std::int32_t>>();
    for (const char* weights : {"bf16", "nvfp4"}) {
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            for (const auto& check : all()) {
                expect_sound(check, {.model = small(weights),
                                     .options = {.precision = precision, .threads = 2},
                                     .tokens = tokens});
            }
        }
    }
}

TEST(Chunked, a_stale_window_fails_at_the_first_row_after_a_cut) {
    const Outcome outcome = check_chunked(subject(60, {"stale_conv_window"}));
    ASSERT_EQ(outcome.verdict, Verdict::fail);
    ASSERT_TRUE(outcome.first_difference);
    EXPECT_EQ(outcome.first_difference->layer, 0);
    EXPECT_EQ(fmt::format("cut at {}", outcome.first_difference->row), outcome.first_case);
    EXPECT_NE(outcome.first_difference->a, outcome.first_difference->b);
    EXPECT_THAT(outcome.reason, HasSubstr("layer.00.mamba, row"));
    EXPECT_EQ(outcome.failed.size(), static_cast<std::size_t>(outcome.cases)) << "every cut";
}

TEST(Chunked, long_prompts_are_cut_at_multiples_of_128) {
    const Outcome outcome = check_chunked(subject(300, {"stale_conv_window"}));
    ASSERT_TRUE(outcome.first_difference);
    EXPECT_EQ(outcome.first_case, "cut at every multiple of 128");
    EXPECT_EQ(outcome.first_difference->row, 128);
}

TEST(Chunked, cuts_are_drawn_from_the_seed) {
    auto one = subject(70, {"stale_conv_window"}), other = one;
    other.seed = 7;
    EXPECT_EQ(check_chunked(one).failed, check_chunked(one).failed);
    EXPECT_NE(check_chunked(one).failed, check_chunked(other).failed);
}

TEST(Resume, a_lost_state_fails_at_the_first_row_after_the_prefix) {
    const Outcome outcome = check_resume(subject(40, {"snapshot_drops_state"}));
    ASSERT_EQ(outcome.verdict, Verdict::fail);
    ASSERT_TRUE(outcome.first_difference);
    EXPECT_EQ(outcome.first_difference->layer, 0);
    EXPECT_THAT(outcome.first_case,
                StartsWith(fmt::format("at {} in", outcome.first_difference->row)));
    for (const std::string& name : outcome.failed) {
        EXPECT_THAT(name, testing::Not(HasSubstr("untouched"))) << "nothing was restored there";
    }
}

TEST(Resume, fails_when_nothing_was_reused_though_all_rows_would_be_right) {
    const Outcome outcome = check_resume(subject(40, {"snapshot_keeps_nothing"}));
    EXPECT_EQ(outcome.verdict, Verdict::fail);
    EXPECT_FALSE(outcome.first_difference);
    EXPECT_THAT(outcome.reason, HasSubstr("nothing was reused: the session is at position 0"));
}

TEST(Repeat, an_unstable_pass_fails_in_every_case) {
    auto unstable = subject(5, {"unstable_repeat"});
    unstable.fresh_process = [&](Recording& recording) { recording = record(unstable); };
    const Outcome outcome = check_repeat(unstable);
    EXPECT_EQ(outcome.verdict, Verdict::fail);
    EXPECT_THAT(outcome.failed, ElementsAre("same session after a reset", "fresh session",
                                            "fresh session with 1 thread",
                                            "fresh session with 4 threads", "fresh process"));
    ASSERT_TRUE(outcome.first_difference);
    EXPECT_EQ(outcome.first_difference->layer, -1);
    EXPECT_EQ(outcome.first_difference->row, 0);
    EXPECT_EQ(outcome.first_difference->column, 0);
    EXPECT_THAT(outcome.reason, HasSubstr("embedding, row 0, column 0 is"));
}

TEST(Repeat, a_process_that_says_something_else_is_seen) {
    auto odd = subject(5);
    odd.fresh_process = [&](Recording& recording) {
        recording = record(odd);
        recording.bytes().back() ^= std::byte{1};  // the last logit
    };
    const Outcome outcome = check_repeat(odd);
    EXPECT_THAT(outcome.failed, ElementsAre("fresh process"));
    EXPECT_THAT(outcome.reason, HasSubstr("fresh process: logits, row 4, column 4095 is"));
}

TEST(Segments, breaches_of_cuts_and_of_snapshots_are_both_seen) {
    for (const char* fault : {"stale_conv_window", "snapshot_drops_state"}) {
        const Outcome outcome = check_segments(subject(40, {fault}));
        EXPECT_EQ(outcome.verdict, Verdict::fail) << fault;
        EXPECT_TRUE(outcome.first_difference) << fault;
    }
}

TEST(Checks, one_token_is_skipped_with_its_reason_where_it_cannot_be_cut) {
    for (const auto& check : all()) {
        const Outcome outcome = check.run(subject(1));
        if (check.name == "repeat") {
            EXPECT_EQ(outcome.verdict, Verdict::pass) << outcome.reason;
        } else {
            EXPECT_EQ(outcome.verdict, Verdict::skipped) << check.name;
            EXPECT_EQ(outcome.cases, 0);
            EXPECT_THAT(outcome.reason, HasSubstr("1 token"));
        }
    }
}

// A recording of a model of 2 layers and hidden size 2 whose elements are all 1.
class Compared : public testing::Test {
  protected:
    Compared() {
        geometry_.vocab = 2;
        geometry_.hidden = 2;
        geometry_.layers.resize(2);
        recorded_.emplace(geometry_, Precision::f32, 3);
        for (std::int64_t layer = -1; layer < 2; ++layer) recorded_->take(rows(layer, 0, ones_));
        recorded_->take(
            engine::model::LogitsBlock{.first_row = 2, .rows = 1, .vocab = 2, .f32 = ones_.data()});
    }

    static engine::model::Residual rows(std::int64_t layer,
                                        std::int64_t first,
                                        const std::vector<float>& values) {
        return {.layer = layer,
                .first_row = first,
                .rows = static_cast<std::int64_t>(values.size()) / 2,
                .hidden = 2,
                .f32 = values.data()};
    }

    engine::model::Geometry geometry_;
    std::optional<Recording> recorded_;
    std::vector<float> ones_ = std::vector<float>(6, 1.0f);
};

TEST_F(Compared, the_first_difference_is_of_the_lowest_layer_then_row) {
    Comparison comparison(*recorded_);
    comparison.take(rows(1, 0, {1, 9, 1, 1}));
    comparison.take(rows(0, 2, {1, 7}));
    comparison.take(rows(0, 1, {5, 7}));
    ASSERT_TRUE(comparison.first());
    EXPECT_EQ(comparison.first()->layer, 0);
    EXPECT_EQ(comparison.first()->row, 1);
    EXPECT_EQ(comparison.first()->column, 0);
    EXPECT_EQ(comparison.first()->a, 1);
    EXPECT_EQ(comparison.first()->b, 5);
    EXPECT_EQ(place_name(geometry_, -1), "embedding");
    EXPECT_EQ(place_name(geometry_, 1), "layer.01.mamba");
    EXPECT_EQ(place_name(geometry_, 2), "logits");
}

TEST_F(Compared, bits_decide_and_not_values) {
    const std::vector<float> zeros(6, 0.0f), minus(6, -0.0f), nan(6, std::nanf(""));
    recorded_->take(rows(0, 0, zeros));
    recorded_->take(rows(1, 0, nan));
    Comparison comparison(*recorded_);
    comparison.take(rows(1, 0, nan));
    EXPECT_FALSE(comparison.first()) << "the same NaN";
    comparison.take(rows(0, 0, minus));
    EXPECT_TRUE(comparison.first()) << "-0 is not +0";
}

TEST_F(Compared, rows_that_were_not_run_are_no_pass) {
    Comparison comparison(*recorded_);
    recorded_->replay(comparison);
    EXPECT_TRUE(comparison.complete());
    Comparison partial(*recorded_, 1);
    partial.take(rows(0, 1, {1, 1, 1, 1}));
    EXPECT_FALSE(partial.complete());
    Tally tally("x", geometry_);
    tally.add("part", partial);
    EXPECT_EQ(tally.outcome().verdict, Verdict::fail);
    EXPECT_THAT(tally.outcome().reason,
                HasSubstr("2 rows of all layers were compared, expected 7"));
}

}  // namespace

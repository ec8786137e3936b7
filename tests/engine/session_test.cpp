// SPDX-License-Identifier: Apache-2.0
// Sessions: what was planned is what happens, and misuse is refused.
#include "engine/model/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/model.h"
#include "tests/engine/tiny_model.h"

namespace {

using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Moe;
using engine::model::Pick;
using engine::model::Precision;
using engine::model::Rows;
using engine::model::Session;
using engine::model::SessionOptions;
using testing::AllOf;
using testing::HasSubstr;

const Model& small() {
    static const Model model = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-nvfp4");
    return model;
}

std::vector<std::int32_t> some_tokens(std::size_t count) {
    std::vector<std::int32_t> tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<std::int32_t>(i * 37 % 4096);
    return tokens;
}

void ignore(const LogitsBlock&) {}

std::string refusal(const SessionOptions& options) {
    engine::trace::Tracer tracer;
    return scratch::message_of([&] { Session session(small(), options, tracer); });
}

// Planned ops and scratch against what one call did.
void expect_plan_is_kept(const Model& model,
                         Precision precision,
                         std::size_t tokens,
                         Rows wanted,
                         Moe moe = Moe::gather) {
    engine::trace::Tracer tracer;
    Session session(model, {.precision = precision, .threads = 2, .moe = moe, .max_tokens = 2000},
                    tracer);
    const auto plan = session.plan(static_cast<std::int64_t>(tokens), wanted);
    session.forward(some_tokens(tokens), wanted, ignore);
    EXPECT_EQ(tracer.ops(), plan.ops) << tokens << " tokens";
    EXPECT_EQ(session.scratch_used_bytes(), plan.scratch_bytes) << tokens << " tokens";
    EXPECT_EQ(session.thread_scratch_used_bytes(), plan.thread_scratch_bytes);
    EXPECT_EQ(session.counters().expert_rows_done, plan.expert_rows) << tokens << " tokens";
}

TEST(Session, planned_ops_and_scratch_are_the_ones_used) {
    for (const Rows wanted : {Rows::none, Rows::last, Rows::all}) {
        expect_plan_is_kept(small(), Precision::f32, 1, wanted);
        expect_plan_is_kept(small(), Precision::f32, 7, wanted);
    }
    expect_plan_is_kept(small(), Precision::f32, 513, Rows::last);  // two chunks
    expect_plan_is_kept(small(), Precision::f64, 20, Rows::last);
}

TEST(Session, only_the_scratch_of_threads_follows_their_number) {
    const auto plan_of = [](int threads) {
        engine::trace::Tracer tracer;
        Session session(small(), {.threads = threads, .max_tokens = 700}, tracer);
        return session.plan(700, Rows::last);
    };
    const auto one = plan_of(1), five = plan_of(5);
    EXPECT_GT(one.thread_scratch_bytes, 0u);
    EXPECT_EQ(five.thread_scratch_bytes, 5 * one.thread_scratch_bytes);
    EXPECT_EQ(five.scratch_bytes, one.scratch_bytes);
    EXPECT_EQ(five.ops, one.ops);
}

TEST(Session, dense_experts_are_planned_as_they_run) {
    expect_plan_is_kept(small(), Precision::f32, 1, Rows::last, Moe::dense);
    expect_plan_is_kept(small(), Precision::f32, 515, Rows::last, Moe::dense);  // two chunks
    expect_plan_is_kept(small(), Precision::f64, 20, Rows::none, Moe::dense);
}

TEST(Session, dense_experts_do_every_row_and_say_the_same_bytes) {
    std::vector<float> logits[2];
    for (const Moe moe : {Moe::gather, Moe::dense}) {
        engine::trace::Tracer tracer;
        Session session(small(), {.threads = 2, .moe = moe, .max_tokens = 100}, tracer);
        auto& to = logits[moe == Moe::dense];
        session.forward(some_tokens(100), Rows::all, [&](const LogitsBlock& block) {
            to.insert(to.end(), block.f32, block.f32 + block.rows * block.vocab);
        });
        const auto& counters = session.counters();
        EXPECT_EQ(counters.expert_rows_asked, 100u * 4 * 5);
        EXPECT_EQ(counters.expert_rows_done, 100u * (moe == Moe::dense ? 32 : 4) * 5);
        EXPECT_LE(counters.experts_hit, 32u * 5);
        EXPECT_TRUE(moe == Moe::gather || counters.experts_hit == 32u * 5);
    }
    EXPECT_EQ(logits[0], logits[1]);
}

TEST(Session, a_step_in_the_middle_of_a_sequence_is_planned_too) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 1, .max_tokens = 600}, tracer);
    session.forward(some_tokens(510), Rows::none, ignore);
    const auto before = tracer.ops();
    const auto plan = session.plan(5, Rows::last);  // crosses a chunk boundary: 2 + 3 rows
    session.forward(some_tokens(5), Rows::last, ignore);
    EXPECT_EQ(tracer.ops() - before, plan.ops);
    EXPECT_EQ(session.position(), 515);
}

TEST(Session, expert_rows_asked_are_the_ones_done) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 2, .max_tokens = 100}, tracer);
    session.forward(some_tokens(100), Rows::none, ignore);
    const auto& counters = session.counters();
    EXPECT_EQ(counters.expert_rows_asked, 100u * 4 * 5);
    EXPECT_EQ(counters.expert_rows_done, counters.expert_rows_asked);
    EXPECT_GT(counters.experts_hit, 0u);
    EXPECT_LE(counters.experts_hit, 32u * 5);
}

TEST(Session, reset_begins_an_empty_sequence_again) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 2, .max_tokens = 40}, tracer);
    std::vector<float> first, second;
    const auto keep = [](std::vector<float>& to) {
        return [&to](const LogitsBlock& block) { to.assign(block.f32, block.f32 + block.vocab); };
    };
    session.forward(some_tokens(40), Rows::last, keep(first));
    session.reset();
    EXPECT_EQ(session.position(), 0);
    session.forward(some_tokens(40), Rows::last, keep(second));
    EXPECT_EQ(first, second);
}

TEST(Session, all_rows_come_in_order_and_once) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 2, .max_tokens = 520}, tracer);
    std::int64_t next = 0;
    session.forward(some_tokens(520), Rows::all, [&](const LogitsBlock& block) {
        EXPECT_EQ(block.first_row, next);
        EXPECT_EQ(block.vocab, 4096);
        next += block.rows;
    });
    EXPECT_EQ(next, 520);
}

TEST(Session, tokens_outside_the_vocabulary_are_refused_and_change_nothing) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 1, .max_tokens = 10}, tracer);
    for (const std::int32_t token : {4096, -1}) {
        const std::vector<std::int32_t> tokens{1, token};
        EXPECT_THAT(
            scratch::message_of([&] { session.forward(tokens, Rows::last, ignore); }),
            AllOf(HasSubstr(std::to_string(token)), HasSubstr("index 1"), HasSubstr("4095")));
    }
    EXPECT_EQ(session.position(), 0);
    EXPECT_EQ(tracer.ops(), 0u);
}

TEST(Session, more_tokens_than_the_capacity_are_refused) {
    engine::trace::Tracer tracer;
    Session session(small(), {.threads = 1, .max_tokens = 10}, tracer);
    session.forward(some_tokens(8), Rows::none, ignore);
    EXPECT_THAT(scratch::message_of([&] { session.forward(some_tokens(3), Rows::none, ignore); }),
                AllOf(HasSubstr("3 tokens after 8"), HasSubstr("capacity of 10")));
}

TEST(Session, options_that_cannot_be_met_are_refused) {
    EXPECT_THAT(refusal({.max_tokens = 0}), HasSubstr("max_tokens is 0"));
    EXPECT_THAT(refusal({.threads = -1, .max_tokens = 1}), HasSubstr("threads is -1"));
    EXPECT_THAT(refusal({.max_tokens = 1, .maths_faults = {"x"}}), HasSubstr("dt_clamp"));
}

TEST(Session, a_dense_layer_runs_and_keeps_its_plan) {
    const scratch::Directory directory;
    tiny_model::write(directory, tiny_model::tensors(), tiny_model::config());
    const Model model = Model::open(directory.path());
    engine::trace::Tracer tracer;
    Session session(model, {.threads = 1, .max_tokens = 4}, tracer);
    const auto plan = session.plan(3, Rows::all);
    EXPECT_EQ(plan.state_bytes, 0u);
    session.forward(std::vector<std::int32_t>{0, 7, 3}, Rows::all, ignore);
    EXPECT_EQ(tracer.ops(), plan.ops);
    EXPECT_EQ(session.scratch_used_bytes(), plan.scratch_bytes);
}

// A layer of 3 experts, 2 of them picked, with or without a shared expert.
std::map<std::string, tiny_model::Stored> moe_tensors(bool shared) {
    auto tensors = tiny_model::tensors();
    std::erase_if(tensors,
                  [](const auto& entry) { return entry.first.find("mixer") != std::string::npos; });
    const std::string mixer = "backbone.layers.0.mixer.";
    tensors[mixer + "gate.weight"] = {"F32", {3, 16}, 192};
    tensors[mixer + "gate.e_score_correction_bias"] = {"F32", {3}, 12};
    std::vector<std::string> blocks{"experts.0.", "experts.1.", "experts.2."};
    if (shared) blocks.push_back("shared_experts.");
    for (const std::string& block : blocks) {
        tensors[mixer + block + "up_proj.weight"] = {"BF16", {6, 16}, 192};
        tensors[mixer + block + "down_proj.weight"] = {"BF16", {16, 6}, 192};
    }
    return tensors;
}

TEST(Session, experts_run_with_and_without_a_shared_one) {
    for (const bool shared : {false, true}) {
        const scratch::Directory directory;
        auto config = tiny_model::config();
        config["hybrid_override_pattern"] = "E";
        config["n_routed_experts"] = 3;
        config["num_experts_per_tok"] = 2;
        config["moe_intermediate_size"] = 6;
        config["n_shared_experts"] = shared ? 1 : 0;
        config["moe_shared_expert_intermediate_size"] = 6;
        tiny_model::write(directory, moe_tensors(shared), config);
        const Model model = Model::open(directory.path());
        engine::trace::Tracer tracer;
        Session session(model, {.threads = 2, .max_tokens = 5}, tracer);
        const auto plan = session.plan(5, Rows::last);
        session.forward(std::vector<std::int32_t>{0, 7, 3, 1, 1}, Rows::last, ignore);
        EXPECT_EQ(tracer.ops(), plan.ops);
        EXPECT_EQ(plan.ops, shared ? 12u : 10u);
        EXPECT_EQ(session.scratch_used_bytes(), plan.scratch_bytes);
        EXPECT_EQ(session.counters().expert_rows_done, 10u);
        EXPECT_EQ(session.counters().experts_hit, 2u);  // equal scores: the lower ids
    }
}

TEST(Logits, equal_logits_go_to_the_lower_id_with_no_margin) {
    const std::vector<float> row{1, 3, 3, 2};
    const Pick pick = engine::model::pick({.rows = 1, .vocab = 4, .f32 = row.data()}, 0);
    EXPECT_EQ(pick.token, 1);
    EXPECT_EQ(pick.margin, 0.0);
}

TEST(Logits, the_margin_is_the_distance_to_the_second) {
    const std::vector<double> rows{0, 0, 5, 2, 9, 1};
    const LogitsBlock block{.rows = 2, .vocab = 3, .f64 = rows.data()};
    EXPECT_EQ(engine::model::pick(block, 0).token, 2);
    EXPECT_EQ(engine::model::pick(block, 1).token, 1);
    EXPECT_EQ(engine::model::pick(block, 1).margin, 7.0);
    EXPECT_THROW(engine::model::pick(block, 2), std::out_of_range);
}

TEST(Logits, nll_is_minus_the_log_of_the_softmax) {
    const std::vector<float> row{1000, 1001, 999};
    const LogitsBlock block{.rows = 1, .vocab = 3, .f32 = row.data()};
    const double sum = std::exp(-1.0) + 1 + std::exp(-2.0);
    EXPECT_NEAR(engine::model::nll(block, 0, 1), std::log(sum), 1e-14);
    EXPECT_NEAR(engine::model::nll(block, 0, 2), std::log(sum) + 2, 1e-14);
    EXPECT_THROW(engine::model::nll(block, 0, 3), std::out_of_range);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Snapshots, prompts in pieces, and the tap on the residual stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "engine/model/model.h"
#include "engine/model/session.h"
#include "tests/engine/tiny_model.h"

namespace {

using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Precision;
using engine::model::Residual;
using engine::model::Rows;
using engine::model::Session;
using engine::model::SessionOptions;
using engine::model::Snapshot;
using testing::AllOf;
using testing::HasSubstr;

const Model& small(const std::string& weights = "nvfp4") {
    static const Model bf16 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16");
    static const Model nvfp4 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-nvfp4");
    return weights == "bf16" ? bf16 : nvfp4;
}

std::vector<std::int32_t> some_tokens(std::size_t count, std::size_t first = 0) {
    std::vector<std::int32_t> tokens(count);
    for (std::size_t i = 0; i < count; ++i) {
        tokens[i] = static_cast<std::int32_t>((first + i) * 37 % 4096);
    }
    return tokens;
}

void ignore(const LogitsBlock&) {}

// A session with its tracer.
struct Sequence {
    engine::trace::Tracer tracer;
    Session session;

    explicit Sequence(const SessionOptions& options, const Model& model = small())
        : session(model, options, tracer) {}

    void feed(std::size_t first, std::size_t count) {
        session.forward(some_tokens(count, first), Rows::none, ignore);
    }

    // Logits after some_tokens(count, first), whatever the precision.
    std::vector<double> logits(std::size_t first, std::size_t count) {
        std::vector<double> result;
        session.forward(some_tokens(count, first), Rows::last, [&](const LogitsBlock& block) {
            for (std::int64_t i = 0; i < block.vocab; ++i) {
                result.push_back(block.f32 ? double(block.f32[i]) : block.f64[i]);
            }
        });
        return result;
    }
};

class Snapshots : public testing::TestWithParam<std::tuple<const char*, Precision>> {
  protected:
    Sequence sequence(std::int64_t max_tokens, int threads = 2) const {
        return Sequence(
            {.precision = std::get<1>(GetParam()), .threads = threads, .max_tokens = max_tokens},
            small(std::get<0>(GetParam())));
    }
};

INSTANTIATE_TEST_SUITE_P(Models,
                         Snapshots,
                         testing::Combine(testing::Values("bf16", "nvfp4"),
                                          testing::Values(Precision::f32, Precision::f64)));

TEST_P(Snapshots, a_restored_session_says_what_an_uninterrupted_one_does) {
    auto whole = sequence(150);
    const auto expected = whole.logits(0, 150);
    auto session = sequence(150);
    session.feed(0, 70);
    const Snapshot kept = session.session.snapshot();
    EXPECT_EQ(kept.position(), 70);
    EXPECT_EQ(session.logits(70, 80), expected) << "taking a snapshot disturbs nothing";
    session.session.restore(kept);
    session.feed(1000, 80);  // other tokens
    session.session.restore(kept);
    EXPECT_EQ(session.session.position(), 70);
    EXPECT_EQ(session.logits(70, 80), expected);
}

TEST_P(Snapshots, several_sessions_of_any_size_go_on_from_one) {
    auto whole = sequence(150);
    const auto expected = whole.logits(0, 150);
    const auto kept = [&] {
        auto first = sequence(130);
        first.feed(0, 130);
        return first.session.snapshot();
    }();  // outlives the session it was taken from
    auto b = sequence(150, 1), c = sequence(700, 3);
    b.session.restore(kept);
    c.session.restore(kept);
    EXPECT_EQ(b.logits(130, 20), expected);
    EXPECT_EQ(c.logits(130, 20), expected);
    EXPECT_EQ(b.session.counters().tokens, 20u) << "the prefix was reused, not run again";
}

TEST(Snapshot, sessions_of_several_threads_go_on_from_one_at_once) {
    Sequence whole({.threads = 1, .max_tokens = 40});
    const auto expected = whole.logits(0, 40);
    Sequence first({.threads = 1, .max_tokens = 30});
    first.feed(0, 30);
    const Snapshot kept = first.session.snapshot();
    std::vector<std::vector<double>> seen(3);
    std::vector<std::thread> threads;
    for (auto& logits : seen) {
        threads.emplace_back([&kept, &logits] {
            Sequence own({.threads = 1, .max_tokens = 40});
            own.session.restore(kept);
            logits = own.logits(30, 10);
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& logits : seen) EXPECT_EQ(logits, expected);
}

TEST(Snapshot, of_an_empty_sequence_is_an_empty_sequence) {
    Sequence a({.threads = 1, .max_tokens = 8}), b({.threads = 1, .max_tokens = 8});
    const Snapshot empty = a.session.snapshot();
    EXPECT_EQ(empty.position(), 0);
    b.feed(5, 3);
    b.session.restore(empty);
    EXPECT_EQ(b.session.position(), 0);
    EXPECT_EQ(b.logits(0, 8), a.logits(0, 8));
}

TEST(Snapshot, its_size_follows_the_position_and_not_the_capacity) {
    Sequence a({.threads = 1, .max_tokens = 64}), b({.threads = 1, .max_tokens = 8000});
    EXPECT_EQ(a.session.snapshot().bytes(), b.session.snapshot().bytes());
    a.feed(0, 64);
    b.feed(0, 64);
    EXPECT_EQ(a.session.snapshot().bytes(), b.session.snapshot().bytes());
    EXPECT_EQ(a.session.snapshot().bytes(), a.session.plan(1, Rows::last).state_bytes)
        << "a full session's snapshot is all of its state";
    b.feed(64, 1);
    EXPECT_GT(b.session.snapshot().bytes(), a.session.snapshot().bytes());
}

std::string refusal(const Snapshot& snapshot, Session& session) {
    return scratch::message_of([&] { session.restore(snapshot); });
}

TEST(Snapshot, of_another_model_precision_or_size_is_refused_and_changes_nothing) {
    Sequence from({.threads = 1, .max_tokens = 20}, small("bf16"));
    from.feed(0, 20);
    const Snapshot snapshot = from.session.snapshot();

    Sequence other({.threads = 1, .max_tokens = 20}, small("nvfp4"));
    other.feed(0, 3);
    EXPECT_THAT(refusal(snapshot, other.session),
                AllOf(HasSubstr("small-bf16"), HasSubstr("small-nvfp4")));
    EXPECT_EQ(other.session.position(), 3);

    Sequence twice({.precision = Precision::f64, .threads = 1, .max_tokens = 20}, small("bf16"));
    EXPECT_THAT(refusal(snapshot, twice.session),
                HasSubstr("of precision f32, the session of f64"));
    EXPECT_THAT(refusal(twice.session.snapshot(), from.session),
                HasSubstr("of precision f64, the session of f32"));

    Sequence narrow({.threads = 1, .max_tokens = 19}, small("bf16"));
    EXPECT_THAT(refusal(snapshot, narrow.session),
                AllOf(HasSubstr("of 20 tokens"), HasSubstr("room for 19")));
    EXPECT_EQ(narrow.session.position(), 0);
    EXPECT_THROW(narrow.session.restore(snapshot), std::invalid_argument);
}

TEST(Snapshot, a_model_opened_apart_is_another_model) {
    const Model again = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16");
    Sequence a({.threads = 1, .max_tokens = 4}, small("bf16")),
        b({.threads = 1, .max_tokens = 4}, again);
    EXPECT_THROW(b.session.restore(a.session.snapshot()), std::invalid_argument);
}

TEST(Tap, sees_every_row_after_the_embedding_and_after_every_layer_once) {
    Sequence s({.threads = 2, .max_tokens = 520});
    std::map<std::int64_t, std::int64_t> rows_of_layer;
    s.session.observe([&](const Residual& r) {
        EXPECT_EQ(r.first_row, rows_of_layer[r.layer]);
        EXPECT_EQ(r.hidden, small().geometry().hidden);
        EXPECT_NE(r.f32, nullptr);
        EXPECT_EQ(r.f64, nullptr);
        rows_of_layer[r.layer] += r.rows;
    });
    s.feed(0, 520);  // two chunks
    s.session.observe({});
    s.session.reset();
    s.feed(0, 1);  // unseen
    ASSERT_EQ(rows_of_layer.size(), small().geometry().layers.size() + 1);
    EXPECT_EQ(rows_of_layer.begin()->first, -1);
    for (const auto& [layer, rows] : rows_of_layer) EXPECT_EQ(rows, 520) << layer;
}

TEST(Tap, hands_out_doubles_in_a_double_session) {
    Sequence s({.precision = Precision::f64, .threads = 1, .max_tokens = 1});
    bool seen = false;
    s.session.observe([&](const Residual& r) { seen |= r.f64 != nullptr && r.f32 == nullptr; });
    s.feed(0, 1);
    EXPECT_TRUE(seen);
}

// What a planted fault of state does to a sequence that is carried on in the way it breaks.
TEST(StateFault, a_stale_window_changes_what_comes_after_a_cut) {
    Sequence whole({.threads = 1, .max_tokens = 20, .maths_faults = {"stale_conv_window"}});
    Sequence cut({.threads = 1, .max_tokens = 20, .maths_faults = {"stale_conv_window"}});
    Sequence sound({.threads = 1, .max_tokens = 20});
    const auto expected = sound.logits(0, 20);
    EXPECT_EQ(whole.logits(0, 20), expected) << "one call is not touched";
    cut.feed(0, 9);
    EXPECT_NE(cut.logits(9, 11), expected);
}

TEST(StateFault, snapshots_lose_what_their_fault_says) {
    Sequence sound({.threads = 1, .max_tokens = 20});
    const auto expected = sound.logits(0, 20);
    Sequence drops({.threads = 1, .max_tokens = 20, .maths_faults = {"snapshot_drops_state"}});
    drops.feed(0, 9);
    drops.session.restore(drops.session.snapshot());
    EXPECT_EQ(drops.session.position(), 9);
    EXPECT_NE(drops.logits(9, 11), expected);
    Sequence keeps_none(
        {.threads = 1, .max_tokens = 20, .maths_faults = {"snapshot_keeps_nothing"}});
    keeps_none.feed(0, 9);
    keeps_none.session.restore(keeps_none.session.snapshot());
    EXPECT_EQ(keeps_none.session.position(), 0);
    EXPECT_EQ(keeps_none.logits(0, 20), expected) << "an empty sequence, sound otherwise";
}

TEST(StateFault, an_unstable_repeat_differs_from_itself) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        Sequence s({.precision = precision,
                    .threads = 1,
                    .max_tokens = 4,
                    .maths_faults = {"unstable_repeat"}});
        const auto first = s.logits(0, 4);
        s.session.reset();
        EXPECT_NE(s.logits(0, 4), first);
    }
}

}  // namespace

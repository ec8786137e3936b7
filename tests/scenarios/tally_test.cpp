// SPDX-License-Identifier: Apache-2.0
// What the trials of a stored comparison lead to is what they led to while they ran.
#include <gtest/gtest.h>

#include "reports/store/store.h"
#include "scenarios/run/tally.h"

namespace {

using reports::Mode;
using scenarios::plan::Turn;
using scenarios::run::replayed;
using scenarios::run::RoundsPlan;
using scenarios::run::Tally;

constexpr std::uint64_t seed = 7;

Tally tally_of(const RoundsPlan& plan) {
    return {
        plan,
        {{.words = {"a", {}, {}, {}}, .engine = "x"}, {.words = {"b", {}, {}, {}}, .engine = "x"}},
        seed};
}

const RoundsPlan timed_only = {.looks = {4, 6, 8}, .profiled_rounds = 0};
const RoundsPlan both = {.looks = {4, 6, 8}, .profiled_rounds = 6};

bool never(int) {
    return false;
}

// A stored run of two arms.
class Stored {
  public:
    Stored() {
        report_.other_arms.emplace_back();
        report_.run.id = 3;
    }

    void add(const Turn& turn, const std::string& failure = "", bool is_over = true) {
        reports::Trial trial{.round = turn.round, .position = turn.position, .mode = turn.mode};
        trial.valid = failure.empty();
        trial.reason = failure;
        auto& arm = turn.arm == 0 ? report_ : report_.other_arms[0];
        arm.trials.push_back({.id = ++last_, .trial = trial, .is_over = is_over});
    }

    // Runs `trials` of them as a comparison would.
    void run(Tally tally, std::size_t trials, const scenarios::run::DecidedAfter& decided = never) {
        while (trials > 0 && !tally.turns().empty()) {
            for (const Turn& turn : tally.turns()) {
                if (trials-- == 0) return;
                add(turn);
            }
            tally.end_block(decided);
        }
    }

    void void_all() {
        for (reports::Report* arm : {&report_, &report_.other_arms[0]})
            for (auto& row : arm->trials) row.trial.voided = "cut off";
    }

    const reports::Report& report() const { return report_; }

  private:
    reports::Report report_;
    reports::Id last_ = 0;
};

TEST(Tally, blocks_that_came_to_their_end_are_not_run_again) {
    Stored stored;
    stored.run(tally_of(timed_only), 8);
    const auto seen = replayed(tally_of(timed_only), stored.report(), never);
    EXPECT_EQ(seen.tally.block(), 2);
    EXPECT_FALSE(seen.cut_off);
    EXPECT_FALSE(seen.tally.is_over());
}

TEST(Tally, a_block_without_its_last_trial_is_cut_off) {
    for (const std::size_t trials : {5u, 6u, 7u}) {
        Stored stored;
        stored.run(tally_of(timed_only), trials);
        const auto seen = replayed(tally_of(timed_only), stored.report(), never);
        EXPECT_EQ(seen.tally.block(), 1);
        EXPECT_TRUE(seen.cut_off);
        EXPECT_EQ(seen.tally.turns().front().round, 2);
    }
}

TEST(Tally, a_trial_whose_files_were_not_read_is_none) {
    Stored stored;
    const auto turns = tally_of(timed_only).turns();
    for (std::size_t i = 0; i < turns.size(); ++i) stored.add(turns[i], "", i + 1 < turns.size());
    const auto seen = replayed(tally_of(timed_only), stored.report(), never);
    EXPECT_EQ(seen.tally.block(), 0);
    EXPECT_TRUE(seen.cut_off);
}

TEST(Tally, void_trials_do_not_count) {
    Stored stored;
    stored.run(tally_of(timed_only), 3);
    stored.void_all();
    EXPECT_FALSE(replayed(tally_of(timed_only), stored.report(), never).cut_off);
    stored.run(tally_of(timed_only), 4);
    EXPECT_EQ(replayed(tally_of(timed_only), stored.report(), never).tally.block(), 1);
}

TEST(Tally, looks_are_asked_at_their_rounds_and_not_at_those_that_followed) {
    Stored stored;
    stored.run(tally_of(timed_only), 14);
    std::vector<int> asked;
    const auto seen = replayed(tally_of(timed_only), stored.report(), [&](int rounds) {
        asked.push_back(rounds);
        return false;
    });
    EXPECT_EQ(asked, (std::vector<int>{4, 6}));
    EXPECT_EQ(seen.tally.block(), 3);
}

TEST(Tally, after_the_deciding_look_only_profiled_rounds_follow) {
    const auto at_4 = [](int rounds) { return rounds == 4; };
    Stored stored;
    stored.run(tally_of(both), 16, at_4);
    const auto seen = replayed(tally_of(both), stored.report(), at_4);
    EXPECT_EQ(seen.tally.block(), 2);
    for (const Turn& turn : seen.tally.turns()) EXPECT_EQ(turn.mode, Mode::profiled);
    EXPECT_EQ(seen.tally.turns().size(), 4u);
    Stored whole;
    whole.run(tally_of(both), 20, at_4);
    EXPECT_TRUE(replayed(tally_of(both), whole.report(), at_4).tally.is_over());
}

TEST(Tally, a_failure_in_a_whole_block_costs_it_and_one_in_a_cut_off_block_is_forgotten) {
    Stored whole, cut;
    const auto turns = tally_of(timed_only).turns();
    for (std::size_t i = 0; i < turns.size(); ++i) {
        whole.add(turns[i], i == 0 ? "it crashed" : "");
        if (i < 3) cut.add(turns[i], i == 0 ? "it crashed" : "");
    }
    EXPECT_EQ(replayed(tally_of(timed_only), whole.report(), never).tally.most_rounds(), 8 + 2);
    const auto seen = replayed(tally_of(timed_only), cut.report(), never);
    EXPECT_TRUE(seen.cut_off);
    EXPECT_EQ(seen.tally.most_rounds(), 8);
    EXPECT_EQ(seen.tally.stopped(), "");
}

TEST(Tally, what_made_arms_not_comparable_still_does) {
    Stored stored;
    const auto turns = tally_of(timed_only).turns();
    for (std::size_t i = 0; i < 3; ++i) stored.add(turns[i], turns[i].arm == 1 ? "it crashed" : "");
    const auto other = std::count_if(turns.begin(), turns.begin() + 3,
                                     [](const Turn& turn) { return turn.arm == 1; });
    const auto seen = replayed(tally_of(timed_only), stored.report(), never);
    EXPECT_EQ(seen.tally.stopped().empty(), other < 2);
    stored.add(turns[3], turns[3].arm == 1 ? "it crashed" : "");
    const auto over = replayed(tally_of(timed_only), stored.report(), never);
    EXPECT_NE(over.tally.stopped().find("arm b: 2 of its trials failed"), std::string::npos);
    EXPECT_TRUE(over.tally.is_over());
}

TEST(Tally, trials_that_the_plan_does_not_give_are_refused) {
    Stored beyond;
    beyond.run(tally_of(timed_only), 4);
    Turn far = tally_of(timed_only).turns()[0];
    far.round = 11;
    beyond.add(far);
    EXPECT_THROW(replayed(tally_of(timed_only), beyond.report(), never), reports::StoreError);
    Stored twice;
    twice.add(tally_of(timed_only).turns()[0]);
    twice.add(tally_of(timed_only).turns()[0]);
    EXPECT_THROW(replayed(tally_of(timed_only), twice.report(), never), reports::StoreError);
    Stored other_order;
    for (Turn turn : tally_of(timed_only).turns()) {
        turn.arm = 1 - turn.arm;
        other_order.add(turn);
    }
    EXPECT_TRUE(replayed(tally_of(timed_only), other_order.report(), never).cut_off);
}

}  // namespace

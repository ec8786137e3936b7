// SPDX-License-Identifier: Apache-2.0
// How far a comparison is: what its rounds so far lead to. A function of the plan and of which
// trials failed, so that the trials of a stored run lead to the same place again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reports/compare/validity.h"
#include "reports/records/report.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/rounds.h"

namespace scenarios::run {

// Whether every gated metric is decided after that many timed rounds.
using DecidedAfter = std::function<bool(int timed_rounds)>;

class Tally {
  public:
    Tally(const RoundsPlan& plan, const std::vector<ArmUnderTest>& arms, std::uint64_t seed);

    // The trials of the block at hand, in their order; empty: the plan is at its end.
    std::vector<plan::Turn> turns() const;

    // A trial of the block at hand failed.
    void note_failure(const plan::Turn& turn, const std::string& reason);
    // All trials of the block at hand ended. One of which a trial failed counts for nothing, and
    // another is run in its place.
    void end_block(const DecidedAfter& decided);

    int block() const { return block_; }

    // Why arms cannot be compared; empty: they can.
    const std::string& stopped() const { return stopped_; }

    bool is_over() const { return !stopped_.empty() || turns().empty(); }

    // Most rounds and trials of the whole run; a verdict may come earlier.
    int most_rounds() const { return plan_.looks.back() + replaced_; }

    std::size_t most_trials() const;

  private:
    bool needs_timed() const { return !is_decided_ && timed_ < plan_.looks.back(); }

    bool needs_profiled() const;
    std::vector<reports::Mode> modes() const;
    void stop_if_not_comparable();

    RoundsPlan plan_;
    std::uint64_t seed_;
    std::vector<std::size_t> taking_part_;                 // indices of arms that can be run
    std::vector<reports::compare::ArmFailures> failures_;  // by arm
    int block_ = 0, timed_ = 0, profiled_ = 0, replaced_ = 0;
    bool is_whole_ = true;  // the block at hand, so far
    bool is_decided_ = false;
    std::string stopped_;
};

// What the stored trials of a run lead to.
struct Replayed {
    Tally tally;
    bool cut_off = false;  // the block at hand has trials, and not all of them ended
};

// Reads trials that are not void. Throws StoreError when they are not those the plan gives.
Replayed replayed(Tally tally, const reports::Report& stored, const DecidedAfter& decided);

}  // namespace scenarios::run

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/tally.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "reports/store/store.h"

namespace scenarios::run {

using reports::Mode;

Tally::Tally(const RoundsPlan& plan, const std::vector<ArmUnderTest>& arms, std::uint64_t seed)
    : plan_(plan), seed_(seed), taking_part_(that_take_part(arms)) {
    for (const ArmUnderTest& arm : arms) failures_.push_back({arm.words.name, 0, ""});
    if (taking_part_.size() < 2) stopped_ = "fewer than two arms can be measured";
}

// Profiled rounds keep step with the timed ones, and reach their least number after them.
bool Tally::needs_profiled() const {
    return plan_.profiled_rounds > 0 &&
           (needs_timed() || profiled_ < std::max(plan_.profiled_rounds, timed_));
}

std::vector<Mode> Tally::modes() const {
    std::vector<Mode> modes;
    if (needs_timed()) modes.push_back(Mode::timed);
    if (needs_profiled()) modes.push_back(Mode::profiled);
    return modes;
}

std::vector<plan::Turn> Tally::turns() const {
    const auto modes_now = modes();
    if (modes_now.empty()) return {};
    return turns_of_block(seed_, taking_part_, block_, modes_now);
}

void Tally::note_failure(const plan::Turn& turn, const std::string& reason) {
    is_whole_ = false;
    reports::compare::ArmFailures& arm = failures_[turn.arm];
    if (arm.failed++ == 0) arm.first_reason = reason;
    stop_if_not_comparable();
}

void Tally::end_block(const DecidedAfter& decided) {
    const auto modes_now = modes();
    ++block_;
    if (!std::exchange(is_whole_, true)) {
        replaced_ += 2;
        stop_if_not_comparable();
        return;
    }
    for (const Mode mode : modes_now) (mode == Mode::timed ? timed_ : profiled_) += 2;
    const bool is_look =
        std::find(plan_.looks.begin(), plan_.looks.end(), timed_) != plan_.looks.end();
    if (is_look && needs_timed()) is_decided_ = decided(timed_);
}

void Tally::stop_if_not_comparable() {
    if (stopped_.empty())
        stopped_ = reports::compare::why_not_comparable(failures_, replaced_, plan_.looks.back());
}

std::size_t Tally::most_trials() const {
    const int modes = plan_.profiled_rounds > 0 ? 2 : 1;
    return static_cast<std::size_t>(most_rounds() * modes) * taking_part_.size();
}

namespace {

// Where a trial stands in a run.
using Slot = std::tuple<int, int, Mode, std::size_t>;  // round, position, mode, arm

Slot slot_of(const plan::Turn& turn) {
    return {turn.round, turn.position, turn.mode, turn.arm};
}

using Trials = std::map<Slot, const reports::TrialRow*>;

Trials trials_of(const reports::Report& stored) {
    Trials out;
    const auto arms = reports::arms_of(stored);
    for (std::size_t arm = 0; arm < arms.size(); ++arm)
        for (const reports::TrialRow& row : arms[arm]->trials) {
            const reports::Trial& trial = row.trial;
            if (!trial.voided.empty()) continue;
            const bool is_new =
                out.emplace(Slot{trial.round, trial.position, trial.mode, arm}, &row).second;
            if (!is_new)
                throw reports::StoreError(fmt::format(
                    "run {}: trial {} stands where another does (round {}, position {}): its "
                    "trials are not those of its plan",
                    stored.run.id, row.id, trial.round, trial.position));
        }
    return out;
}

// Goes through the block at hand as far as its trials ended. False: not to its end.
bool replay_block(Tally& tally, Trials& trials) {
    for (const plan::Turn& turn : tally.turns()) {
        const auto found = trials.find(slot_of(turn));
        if (found == trials.end() || !found->second->is_over) return false;
        const reports::Trial& trial = found->second->trial;
        trials.erase(found);
        if (!trial.valid) tally.note_failure(turn, trial.reason);
        if (!tally.stopped().empty()) return false;
    }
    return true;
}

void refuse_others(const Trials& trials, int block, const reports::Report& stored) {
    for (const auto& [slot, row] : trials)
        if (std::get<0>(slot) / 2 != block)
            throw reports::StoreError(
                fmt::format("run {}: trial {} of round {} is none that its plan gives after the "
                            "{} rounds before it",
                            stored.run.id, row->id, std::get<0>(slot), 2 * block));
}

}  // namespace

Replayed replayed(Tally tally, const reports::Report& stored, const DecidedAfter& decided) {
    Trials trials = trials_of(stored);
    while (!tally.is_over() && !trials.empty()) {
        Tally before = tally;
        if (!replay_block(tally, trials)) {
            if (!tally.stopped().empty()) return {std::move(tally), false};
            refuse_others(trials, before.block(), stored);
            return {std::move(before), true};
        }
        tally.end_block(decided);
    }
    if (tally.stopped().empty()) refuse_others(trials, -1, stored);
    return {std::move(tally), false};
}

}  // namespace scenarios::run

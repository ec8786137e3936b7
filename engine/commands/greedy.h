// SPDX-License-Identifier: Apache-2.0
// Prefill and greedy decode as measured phases.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "engine/commands/engine.h"

namespace engine::commands {

// One phase that has run. Stamps are CLOCK_MONOTONIC_RAW.
struct PhaseRun {
    std::string_view phase;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t tokens = 0;  // processed by the model
    std::uint64_t ops = 0;
    model::Counters counters;  // of this phase alone

    double seconds() const { return static_cast<double>(end_ns - begin_ns) / 1e9; }
};

// What the plan expects of a phase.
struct PhasePlan {
    std::uint64_t ops = 0;
    std::uint64_t scratch_bytes = 0;
};

class Greedy {
  public:
    explicit Greedy(Engine& engine);

    // Starts a new sequence with `tokens` and picks the token that follows.
    // `rep` as in trace::PhaseInfo: -1 for a warm-up.
    PhaseRun prefill(std::span<const std::int32_t> tokens, std::int64_t rep);

    // Feeds the last pick back, up to `steps` times. After each step `go_on` sees the new pick;
    // it may end the phase by returning false.
    PhaseRun decode(std::int64_t steps,
                    std::int64_t rep,
                    const std::function<bool(const model::Pick&)>& go_on);

    // Both from the session's present position, the pick included.
    PhasePlan plan_prefill(std::int64_t tokens) const;
    PhasePlan plan_decode(std::int64_t steps) const;

    const model::Pick& pick() const { return pick_; }  // the latest

    std::int64_t first_token_ns() const { return first_token_ns_; }  // 0: no token yet

  private:
    void take_pick(const model::LogitsBlock& block);
    PhaseRun begin(std::string_view phase) const;
    void end(PhaseRun& run) const;

    Engine& engine_;
    model::LogitsSink sink_;
    model::Pick pick_;
    std::int64_t first_token_ns_ = 0;
    ops::WorkModel sample_work_;
    trace::Label prefill_{"prefill"};
    trace::Label decode_{"decode"};
    trace::Label step_{"step"};
    trace::Label sample_{"sample"};
};

}  // namespace engine::commands

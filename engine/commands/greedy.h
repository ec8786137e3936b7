// SPDX-License-Identifier: Apache-2.0
// Prefill and greedy decode as measured phases.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/commands/phase.h"

namespace engine::commands {

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

    // With the picks. A prefill begins at an empty sequence, a step at any.
    PhasePlan plan_prefill(std::int64_t tokens) const;
    PhasePlan plan_decode(std::int64_t steps) const;

    const model::Pick& pick() const { return pick_; }  // the latest

    std::int64_t first_token_ns() const { return first_token_ns_; }  // 0: no token yet

  private:
    void take_pick(const model::LogitsBlock& block);

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

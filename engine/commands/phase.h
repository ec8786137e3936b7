// SPDX-License-Identifier: Apache-2.0
// A measured phase: what it took, what it counted, and what the plan expected of it.
#pragma once

#include <cstdint>
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
    std::uint64_t thread_scratch_bytes = 0;
    std::uint64_t expert_rows = 0;

    // This, and then `next`: what is done adds up, memory is used again.
    void then(const PhasePlan& next);
};

PhasePlan phase_plan(const model::Plan& plan);  // with one op for each block of logits

// Notes the engine's totals; count_phase() turns them into those of the phase alone.
PhaseRun begin_phase(Engine& engine, std::string_view phase);
void count_phase(Engine& engine, PhaseRun& run);

// Appends a prompt to the sequence, in pieces of --prefill-chunk tokens, else in one call. `wanted`
// is of the whole prompt: only its last row, or every row, and the sink sees them in order.
void feed(Engine& engine,
          std::span<const std::int32_t> tokens,
          model::Rows wanted,
          const model::LogitsSink& sink);

// Plan of feed() at an empty sequence.
PhasePlan plan_feed(const Engine& engine, std::int64_t tokens, model::Rows wanted);

}  // namespace engine::commands

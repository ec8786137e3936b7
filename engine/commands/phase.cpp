// SPDX-License-Identifier: Apache-2.0
// Counts of a phase: the engine's totals after it, less those before.
#include "engine/commands/phase.h"

#include <algorithm>

namespace engine::commands {
namespace {

struct Piece {
    std::int64_t first;
    std::int64_t rows;
    model::Rows wanted;
};

// How a prompt is cut; run and plan must agree on it.
class Pieces {
  public:
    Pieces(const Engine& engine, std::int64_t tokens, model::Rows wanted)
        : size_(engine.prefill_chunk > 0 ? engine.prefill_chunk
                                         : std::max<std::int64_t>(1, tokens)),
          tokens_(tokens),
          wanted_(wanted) {}

    template <class Body>
    void each(const Body& body) const {
        for (std::int64_t first = 0; first < tokens_; first += size_) {
            const std::int64_t rows = std::min(size_, tokens_ - first);
            const bool idle = wanted_ == model::Rows::last && first + rows < tokens_;
            body(Piece{first, rows, idle ? model::Rows::none : wanted_});
        }
    }

  private:
    std::int64_t size_, tokens_;
    model::Rows wanted_;
};

}  // namespace

void PhasePlan::then(const PhasePlan& next) {
    ops += next.ops;
    expert_rows += next.expert_rows;
    scratch_bytes = std::max(scratch_bytes, next.scratch_bytes);
    thread_scratch_bytes = std::max(thread_scratch_bytes, next.thread_scratch_bytes);
}

PhasePlan phase_plan(const model::Plan& plan) {
    return {.ops = plan.ops + plan.logits_blocks,
            .scratch_bytes = plan.scratch_bytes,
            .thread_scratch_bytes = plan.thread_scratch_bytes,
            .expert_rows = plan.expert_rows};
}

PhaseRun begin_phase(Engine& engine, std::string_view phase) {
    PhaseRun run;
    run.phase = phase;
    run.ops = engine.tracer.ops();
    run.counters = engine.session->counters();
    return run;
}

void count_phase(Engine& engine, PhaseRun& run) {
    const auto& now = engine.session->counters();
    run.ops = engine.tracer.ops() - run.ops;
    run.counters = {now.expert_rows_asked - run.counters.expert_rows_asked,
                    now.expert_rows_done - run.counters.expert_rows_done,
                    now.experts_hit - run.counters.experts_hit, now.tokens - run.counters.tokens};
}

void feed(Engine& engine,
          std::span<const std::int32_t> tokens,
          model::Rows wanted,
          const model::LogitsSink& sink) {
    const Pieces pieces(engine, static_cast<std::int64_t>(tokens.size()), wanted);
    pieces.each([&](const Piece& piece) {
        const auto part = tokens.subspan(static_cast<std::size_t>(piece.first),
                                         static_cast<std::size_t>(piece.rows));
        engine.session->forward(part, piece.wanted, sink);
    });
}

PhasePlan plan_feed(const Engine& engine, std::int64_t tokens, model::Rows wanted) {
    PhasePlan sum;
    Pieces(engine, tokens, wanted).each([&](const Piece& piece) {
        sum.then(phase_plan(engine.session->plan_from(piece.first, piece.rows, piece.wanted)));
    });
    return sum;
}

}  // namespace engine::commands

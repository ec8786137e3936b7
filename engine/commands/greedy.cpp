// SPDX-License-Identifier: Apache-2.0
// The range tree of a run: phase, step, and the pick that ends each.
#include "engine/commands/greedy.h"

#include "engine/ops/greedy_pick.h"
#include "engine/trace/clock.h"

namespace engine::commands {

Greedy::Greedy(Engine& engine)
    : engine_(engine),
      sink_([this](const model::LogitsBlock& block) { take_pick(block); }),
      sample_work_(
          ops::greedy_pick::work({static_cast<double>(engine.vocab), engine.logit_bytes})) {}

void Greedy::take_pick(const model::LogitsBlock& block) {
    engine_.tracer.op(sample_, ops::greedy_pick::declaration, ops::Role::sample, sample_work_.at(1),
                      [&] { pick_ = model::pick(block, block.rows - 1); });
    if (first_token_ns_ == 0) {
        first_token_ns_ = trace::now_ns();
    }
}

PhaseRun Greedy::begin(std::string_view phase) const {
    PhaseRun run;
    run.phase = phase;
    run.ops = engine_.tracer.ops();
    run.counters = engine_.session->counters();
    return run;
}

// Turns the totals noted at the beginning into those of the phase.
void Greedy::end(PhaseRun& run) const {
    const auto& now = engine_.session->counters();
    run.ops = engine_.tracer.ops() - run.ops;
    run.counters = {now.expert_rows_asked - run.counters.expert_rows_asked,
                    now.expert_rows_done - run.counters.expert_rows_done,
                    now.experts_hit - run.counters.experts_hit};
}

PhasePlan Greedy::plan_prefill(std::int64_t tokens) const {
    const auto plan = engine_.session->plan(tokens, model::Rows::last);
    return {plan.ops + 1, plan.scratch_bytes};
}

PhasePlan Greedy::plan_decode(std::int64_t steps) const {
    const auto plan = engine_.session->plan(1, model::Rows::last);
    return {static_cast<std::uint64_t>(steps) * (plan.ops + 1), plan.scratch_bytes};
}

PhaseRun Greedy::prefill(std::span<const std::int32_t> tokens, std::int64_t rep) {
    engine_.session->reset();
    auto run = begin("prefill");
    run.tokens = static_cast<std::int64_t>(tokens.size());
    run.begin_ns = engine_.tracer.open_phase(prefill_, {rep, run.tokens, 0});
    engine_.session->forward(tokens, model::Rows::last, sink_);
    run.end_ns = engine_.tracer.close_phase();
    end(run);
    return run;
}

PhaseRun Greedy::decode(std::int64_t steps,
                        std::int64_t rep,
                        const std::function<bool(const model::Pick&)>& go_on) {
    auto run = begin("decode");
    auto& tracer = engine_.tracer;
    run.begin_ns = tracer.open_phase(decode_, {rep, steps, engine_.session->position()});
    for (auto more = true; more && run.tokens < steps;) {
        tracer.open(step_);
        engine_.session->forward({&pick_.token, 1}, model::Rows::last, sink_);
        tracer.close();
        ++run.tokens;
        more = go_on(pick_);
    }
    run.end_ns = tracer.close_phase();
    end(run);
    return run;
}

}  // namespace engine::commands

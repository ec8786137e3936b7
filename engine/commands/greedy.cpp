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

PhasePlan Greedy::plan_prefill(std::int64_t tokens) const {
    return plan_feed(engine_, tokens, model::Rows::last);
}

PhasePlan Greedy::plan_decode(std::int64_t steps) const {
    auto plan = phase_plan(engine_.session->plan(1, model::Rows::last));
    plan.ops *= static_cast<std::uint64_t>(steps);
    plan.expert_rows *= static_cast<std::uint64_t>(steps);
    return plan;
}

PhaseRun Greedy::prefill(std::span<const std::int32_t> tokens, std::int64_t rep) {
    engine_.session->reset();
    auto run = begin_phase(engine_, "prefill");
    run.tokens = static_cast<std::int64_t>(tokens.size());
    run.begin_ns = engine_.tracer.open_phase(prefill_, {rep, run.tokens, 0});
    feed(engine_, tokens, model::Rows::last, sink_);
    run.end_ns = engine_.tracer.close_phase();
    count_phase(engine_, run);
    return run;
}

PhaseRun Greedy::decode(std::int64_t steps,
                        std::int64_t rep,
                        const std::function<bool(const model::Pick&)>& go_on) {
    auto run = begin_phase(engine_, "decode");
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
    count_phase(engine_, run);
    return run;
}

}  // namespace engine::commands

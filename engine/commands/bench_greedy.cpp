// SPDX-License-Identifier: Apache-2.0
// The workloads prefill and decode.
#include <fmt/format.h>

#include <algorithm>

#include "engine/commands/bench.h"
#include "engine/commands/greedy.h"

namespace engine::commands {
namespace {

class GreedyBench {
  public:
    GreedyBench(const BenchOptions& options, Engine& engine, const BenchLines& lines)
        : options_(options),
          engine_(engine),
          lines_(lines),
          greedy_(engine),
          wanted_(static_cast<std::size_t>(std::max<std::int64_t>(options.decode, 1))),
          other_(warm_up_tokens(engine.prompt.ids, engine.vocab)) {
        prefill_plan_ = greedy_.plan_prefill(static_cast<std::int64_t>(engine_.prompt.ids.size()));
        if (options.decode > 0) {
            decode_plan_ = greedy_.plan_decode(options.decode);
        }
    }

    void warm_up() { one_rep(other_, -1); }

    void measure(std::int64_t rep) { one_rep(engine_.prompt.ids, rep); }

    void compare_with_first(std::int64_t rep) {
        if (rep == 0) {
            first_picks_ = picks_;
        }
        for (std::size_t i = 0; i < picks_.size(); ++i) {
            if (picks_[i].token != first_picks_[i].token) {
                throw std::runtime_error(fmt::format(
                    "rep {} generated token {} at position {}, rep 0 generated {}: repeats must be "
                    "bit-identical, so these measurements are invalid",
                    rep, picks_[i].token, i, first_picks_[i].token));
            }
        }
    }

    void finish() const {
        protocol::Output output;
        for (const auto& pick : picks_) {
            output.tokens.push_back(pick.token);
            output.margins.push_back(pick.margin);
        }
        lines_.output(output);
        auto all = prefill_plan_;
        all.then(decode_plan_);
        lines_.end(all, greedy_.first_token_ns());
    }

  private:
    void one_rep(const std::vector<std::int32_t>& tokens, std::int64_t rep) {
        picks_.clear();
        picks_.reserve(wanted_ + 1);
        report(greedy_.prefill(tokens, rep), rep, prefill_plan_);
        picks_.push_back(greedy_.pick());
        if (options_.decode > 0) {
            const auto decode = greedy_.decode(options_.decode, rep, [this](const auto& pick) {
                picks_.push_back(pick);
                return true;
            });
            report(decode, rep, decode_plan_);
        }
        // N steps make N + 1 tokens known, the prefill's among them: the last is not output.
        picks_.resize(wanted_);
    }

    void report(const PhaseRun& run, std::int64_t rep, const PhasePlan& plan) const {
        if (rep >= 0) {
            lines_.phase(run, rep, plan);
        }
    }

    const BenchOptions& options_;
    Engine& engine_;
    const BenchLines& lines_;
    Greedy greedy_;
    std::size_t wanted_;  // tokens in the output
    std::vector<std::int32_t> other_;
    PhasePlan prefill_plan_;
    PhasePlan decode_plan_;
    std::vector<model::Pick> picks_;        // of the latest rep
    std::vector<model::Pick> first_picks_;  // of rep 0
};

}  // namespace

void bench_greedy(const BenchOptions& options, Engine& engine) {
    const BenchLines lines(options, engine);
    lines.hello();
    GreedyBench workload(options, engine, lines);
    run_reps(options, lines, workload);
    workload.finish();
}

}  // namespace engine::commands

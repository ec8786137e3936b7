// SPDX-License-Identifier: Apache-2.0
// `tare-engine bench`: measured phases for a harness, in the lines of protocol 1.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "engine/commands/commands.h"
#include "engine/commands/greedy.h"
#include "engine/commands/output.h"
#include "engine/commands/peak_memory.h"
#include "engine/commands/protocol.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

struct BenchOptions : EngineOptions {
    bool prefill = false;
    std::int64_t decode = 0;  // steps; 0: prefill only
    std::int64_t reps = 5;
    std::int64_t warm_up = 1;
};

// Other tokens than the measured ones, so that nothing about those can be remembered.
std::vector<std::int32_t> warm_up_tokens(std::vector<std::int32_t> ids, std::int64_t vocab) {
    for (auto& id : ids) {
        id = static_cast<std::int32_t>((id + 1) % vocab);
    }
    return ids;
}

class Bench {
  public:
    Bench(const BenchOptions& options, Engine& engine)
        : options_(options), engine_(engine), greedy_(engine) {
        wanted_ = static_cast<std::size_t>(std::max<std::int64_t>(options.decode, 1));
    }

    void run() {
        hello();
        plan();
        const auto other = warm_up_tokens(engine_.prompt.ids, engine_.vocab);
        for (std::int64_t i = 0; i < options_.warm_up; ++i) {
            progress("warm-up", i, options_.warm_up);
            one_rep(other, -1);
        }
        for (std::int64_t rep = 0; rep < options_.reps; ++rep) {
            progress("rep", rep, options_.reps);
            one_rep(engine_.prompt.ids, rep);
            compare_with_first(rep);
        }
        finish();
    }

  private:
    void line(const std::string& text) const {
        if (options_.json) {
            print_line(text);
        }
    }

    void progress(const char* what, std::int64_t index, std::int64_t count) const {
        fmt::print(stderr, "{} {}/{}\n", what, index + 1, count);
    }

    void hello() const {
        line(protocol::hello_line({.model = engine_.model.get(),
                                   .backend = options_.backend,
                                   .threads = engine_.session->threads(),
                                   .isa = std::string(engine_.session->isa()),
                                   .precision = options_.precision,
                                   .prompt_tokens = engine_.prompt.ids.size(),
                                   .prompt_sha256 = tokens_sha256(engine_.prompt.ids),
                                   .faults = engine_.tracer.faults().specs()}));
    }

    void plan() {
        prefill_plan_ = greedy_.plan_prefill(static_cast<std::int64_t>(engine_.prompt.ids.size()));
        if (options_.decode > 0) {
            decode_plan_ = greedy_.plan_decode(options_.decode);
        }
    }

    void one_rep(const std::vector<std::int32_t>& tokens, std::int64_t rep) {
        picks_.clear();
        picks_.reserve(wanted_ + 1);
        const auto prefill = greedy_.prefill(tokens, rep);
        picks_.push_back(greedy_.pick());
        report(prefill, rep, prefill_plan_.ops);
        if (options_.decode > 0) {
            const auto decode = greedy_.decode(options_.decode, rep, [this](const auto& pick) {
                picks_.push_back(pick);
                return true;
            });
            report(decode, rep, decode_plan_.ops);
        }
        // N steps make N + 1 tokens known, the prefill's among them: the last is not output.
        picks_.resize(wanted_);
    }

    void report(const PhaseRun& run, std::int64_t rep, std::uint64_t ops_planned) {
        if (rep < 0) {
            return;
        }
        line(protocol::rep_line(run, rep));
        line(protocol::counters_line(run, rep, ops_planned));
        if (!options_.json) {
            print_line(fmt::format("{:8} rep {}: {:9.3f} ms, {:8.1f} tokens/s, {} ops", run.phase,
                                   rep, run.seconds() * 1e3,
                                   static_cast<double>(run.tokens) / run.seconds(), run.ops));
        }
    }

    void compare_with_first(std::int64_t rep) {
        if (rep == 0) {
            first_picks_ = picks_;
            return;
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

    void finish() {
        protocol::Output output;
        for (const auto& pick : picks_) {
            output.tokens.push_back(pick.token);
            output.margins.push_back(pick.margin);
        }
        engine_.tracer.faults().flip_tokens(output.request, engine_.vocab, output.tokens);
        line(protocol::output_line(output));
        const auto state = engine_.session->plan(1, model::Rows::last).state_bytes;
        line(protocol::memory_line({.scratch_planned_bytes = std::max(prefill_plan_.scratch_bytes,
                                                                      decode_plan_.scratch_bytes),
                                    .scratch_used_bytes = engine_.session->scratch_used_bytes(),
                                    .state_bytes = state,
                                    .weights_bytes = engine_.model->weights_bytes(),
                                    .peak_bytes = peak_bytes()}));
        check_faults_struck(engine_);
        line(protocol::end_line(greedy_.first_token_ns()));
    }

    const BenchOptions& options_;
    Engine& engine_;
    Greedy greedy_;
    std::size_t wanted_ = 0;  // tokens in the output
    PhasePlan prefill_plan_;
    PhasePlan decode_plan_;
    std::vector<model::Pick> picks_;        // of the latest rep
    std::vector<model::Pick> first_picks_;  // of rep 0
};

int run(const BenchOptions& options) {
    if (options.prefill == (options.decode > 0)) {
        throw UsageError(
            fmt::format("bench: {} given; choose what to measure by either --prefill "
                        "or --decode N",
                        options.prefill ? "both were" : "neither was"));
    }
    const auto engine = open_engine(options, options.decode);
    Bench(options, *engine).run();
    return 0;
}

}  // namespace

Command add_bench(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    auto* sub = app.add_subcommand("bench", "Measure prefill or decode for a harness (protocol 1)");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    sub->add_flag("--prefill", options->prefill, "Measure the prefill of the prompt");
    sub->add_option("--decode", options->decode, "Measure a prefill, then N greedy steps")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
        ->type_name("N");
    sub->add_option("--reps", options->reps, "Measured repeats (default 5)")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("R");
    sub->add_option("--warm-up", options->warm_up, "Repeats with other tokens first (default 1)")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("W");
    add_backend_options(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "Greedy decode never stops at the end of the text here.\n"
        "Examples:\n"
        "  tare-engine bench --model scenarios/models/small-bf16 \\\n"
        "      --tokens-file scenarios/prompts/long4314.json --prefill --reps 3 --json\n"
        "  tare-engine bench --model scenarios/models/small-bf16 \\\n"
        "      --tokens 1,45,81 --decode 64 --fault 'delay:decode/step/*/norm:50'");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands

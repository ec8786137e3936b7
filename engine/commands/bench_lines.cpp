// SPDX-License-Identifier: Apache-2.0
// The lines of a bench run.
#include <fmt/format.h>

#include "engine/commands/bench.h"
#include "engine/commands/output.h"
#include "engine/commands/peak_memory.h"
#include "engine/format/sha256.h"

namespace engine::commands {

void BenchLines::hello() const {
    if (!options_.json) {
        return;
    }
    print_line(protocol::hello_line(
        {.model = engine_.model.get(),
         .backend = options_.backend,
         .threads = engine_.session->threads(),
         .isa = std::string(engine_.session->isa()),
         .precision = options_.precision,
         .moe = options_.moe,
         .prompt_tokens = engine_.prompt.ids.size(),
         .prompt_sha256 = format::token_ids_sha256(engine_.prompt.ids),
         .prompt_texts = options_.score ? std::optional(engine_.texts.size()) : std::nullopt,
         .faults = engine_.tracer.faults().specs()}));
}

void BenchLines::progress(const char* what, std::int64_t index, std::int64_t count) const {
    say(fmt::format("{} {}/{}", what, index + 1, count));
}

void BenchLines::phase(const PhaseRun& run, std::int64_t rep, const PhasePlan& plan) const {
    if (options_.json) {
        print_line(protocol::rep_line(run, rep));
        print_line(protocol::counters_line(run, rep, plan));
    } else {
        print_line(fmt::format("{:8} rep {}: {:9.3f} ms, {:8.1f} tokens/s, {} ops", run.phase, rep,
                               run.seconds() * 1e3, static_cast<double>(run.tokens) / run.seconds(),
                               run.ops));
    }
}

void BenchLines::loss(const protocol::Loss& loss) const {
    if (options_.json) {
        print_line(protocol::loss_line(loss));
    } else {
        print_shown(fmt::format(
            "text {} {:16} {:5} tokens scored, mean negative log likelihood {}", loss.request,
            loss.name, loss.tokens,
            loss.nll_mean ? fmt::format("{:.6f}", *loss.nll_mean) : "unknown: 1 token"));
    }
}

void BenchLines::output(protocol::Output output) const {
    engine_.tracer.faults().flip_tokens(output.request, engine_.vocab, output.tokens);
    if (options_.json) {
        print_line(protocol::output_line(output));
    }
}

void BenchLines::end(const PhasePlan& all, std::int64_t first_token_ns) const {
    const auto& session = *engine_.session;
    const protocol::Memory memory{.scratch_planned_bytes = all.scratch_bytes,
                                  .scratch_used_bytes = session.scratch_used_bytes(),
                                  .thread_scratch_planned_bytes = all.thread_scratch_bytes,
                                  .thread_scratch_used_bytes = session.thread_scratch_used_bytes(),
                                  .state_bytes = session.plan(1, model::Rows::last).state_bytes,
                                  .weights_bytes = engine_.model->weights_bytes(),
                                  .peak_bytes = peak_bytes()};
    if (options_.json) {
        print_line(protocol::memory_line(memory));
    }
    check_faults_struck(engine_);
    if (options_.json) {
        print_line(protocol::end_line(first_token_ns));
    }
}

std::vector<std::int32_t> warm_up_tokens(std::vector<std::int32_t> ids, std::int64_t vocab) {
    for (auto& id : ids) {
        id = static_cast<std::int32_t>((id + 1) % vocab);
    }
    return ids;
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// `tare-engine score`: how likely the model finds a text, row by row.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "engine/commands/commands.h"
#include "engine/commands/engine.h"
#include "engine/commands/json_text.h"
#include "engine/commands/logits_file.h"
#include "engine/commands/output.h"
#include "engine/commands/scorer.h"

namespace engine::commands {
namespace {

struct ScoreOptions : EngineOptions {
    std::string logits_out;
};

TextScore score(Engine& engine, LogitsFile* logits) {
    TextScore scores;
    const auto& ids = engine.prompt.ids;
    const trace::Label prefill{"prefill"};
    engine.tracer.open_phase(prefill, {0, static_cast<std::int64_t>(ids.size()), 0});
    engine.session->forward(ids, model::Rows::all, [&](const model::LogitsBlock& block) {
        append_rows(block, ids, scores);
        if (logits != nullptr) {
            logits->append(block);
        }
    });
    engine.tracer.close_phase();
    return scores;
}

void print_summary(const TextScore& scores, const Engine& engine) {
    const auto total = std::accumulate(scores.nll.begin(), scores.nll.end(), 0.0);
    const auto count = static_cast<double>(scores.nll.size());
    print_line(fmt::format("{} tokens, mean negative log likelihood {} (natural log)",
                           engine.prompt.ids.size(),
                           count > 0 ? fmt::format("{:.6f}", total / count) : "unknown: 1 token"));
}

int run(const ScoreOptions& options) {
    const auto engine = open_engine(options, 0);
    std::optional<LogitsFile> logits;
    if (!options.logits_out.empty()) {
        logits.emplace(options.logits_out, static_cast<std::int64_t>(engine->prompt.ids.size()),
                       engine->vocab);
    }
    const auto scores = score(*engine, logits ? &*logits : nullptr);
    check_faults_struck(*engine);
    if (logits) {
        logits->finish();
    }
    if (options.json) {
        print_line(json_text(nlohmann::ordered_json{
            {"nll", scores.nll}, {"argmax", scores.argmax}, {"margin", scores.margins}}));
    } else {
        print_summary(scores, *engine);
    }
    return 0;
}

}  // namespace

Command add_score(CLI::App& app) {
    auto options = std::make_shared<ScoreOptions>();
    auto* sub = app.add_subcommand("score", "Negative log likelihood of each token of a text");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    sub->add_option("--logits-out", options->logits_out,
                    "Also write all logits: safetensors, tensor `logits` [tokens, vocab] F32")
        ->type_name("FILE");
    add_backend_options(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "JSON: nll[i] is of token i+1 given tokens 0..i; margin is top-1 minus top-2 logit.\n"
        "Example:\n"
        "  tare-engine score --model scenarios/models/small-bf16 \\\n"
        "      --tokens-file texts.safetensors:tokens --logits-out logits.safetensors --json");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Opens a model and its session, turning everything a person got wrong into a UsageError.
#include "engine/commands/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "engine/commands/input_file.h"
#include "engine/commands/progress.h"
#include "engine/commands/text_source.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

void require_one_source(const EngineOptions& options) {
    const int sources = int{!options.tokens.empty()} + int{!options.tokens_file.empty()} +
                        int{options.prompt.has_value()} + int{options.prompt_file.has_value()};
    if (sources != 1) {
        throw UsageError(fmt::format(
            "{} given; give one of --prompt TEXT, --prompt-file FILE, --tokens 1,2,3 and "
            "--tokens-file FILE",
            sources == 0 ? "no prompt was" : "several prompts were"));
    }
}

// One text without a name, unless several are allowed and there.
std::vector<Text> given_texts(const EngineOptions& options) {
    if (options.prompt || options.prompt_file) {
        const auto tokenizer = need_tokenizer(options.model);
        return {{"", options.prompt ? encode_text(*tokenizer, *options.prompt, "--prompt")
                                    : encode_text(*tokenizer, read_input(*options.prompt_file),
                                                  *options.prompt_file)}};
    }
    if (options.several_texts && !options.tokens_file.empty()) {
        return read_texts(options.tokens_file);
    }
    return {{"", tokens_from(options.tokens, options.tokens_file)}};
}

std::vector<Text> texts_from(const EngineOptions& options) {
    require_one_source(options);
    auto texts = given_texts(options);
    if (options.bos) {
        const auto bos = bos_id(options.model);
        for (auto& text : texts) {
            prepend_bos(bos, text.tokens);
        }
    }
    return texts;
}

}  // namespace

std::unique_ptr<const model::Model> open_model(const EngineOptions& options,
                                               synthetic::Weights weights) {
    return as_usage([&] {
        if (synthetic::is_synthetic(options.model)) {
            const auto spec = synthetic::parse_spec(options.model, options.config);
            Progress progress(fmt::format("{}: weights made", spec.text()));
            return std::make_unique<const model::Model>(
                synthetic::open(spec, weights, options.threads, synthetic::available_bytes(),
                                [&](auto done, auto total) { progress.at(done, total); }));
        }
        if (!options.config.empty()) {
            throw UsageError(fmt::format(
                "--config {}: only with --model synthetic; the folder {} has a config of its own",
                options.config, options.model));
        }
        return std::make_unique<const model::Model>(model::Model::open(options.model));
    });
}

std::unique_ptr<Engine> open_engine(const EngineOptions& options, std::int64_t new_tokens) {
    check_backend(options);
    auto faults = as_usage([&] { return trace::FaultTable(options.faults); });
    auto choice = session_options(options);
    choice.maths_faults = faults.maths();
    auto engine = std::make_unique<Engine>(std::move(faults));
    engine->texts = texts_from(options);
    engine->prompt = joined(engine->texts);
    engine->model = open_model(options, synthetic::Weights::planned);
    engine->vocab = engine->model->geometry().vocab;
    engine->max_positions = engine->model->geometry().max_positions;
    engine->prefill_chunk = options.prefill_chunk;
    engine->logit_bytes = choice.precision == model::Precision::f64 ? 8 : 4;
    for (const auto& text : engine->texts) {
        check_tokens(text.tokens, engine->vocab, engine->max_positions, new_tokens);
        const auto count = static_cast<std::int64_t>(text.tokens.ids.size());
        choice.max_tokens = std::max(choice.max_tokens, count + new_tokens);
    }
    if (synthetic::is_synthetic(options.model)) engine->model = open_model(options);
    engine->session = as_usage(
        [&] { return std::make_unique<model::Session>(*engine->model, choice, engine->tracer); });
    return engine;
}

void check_faults_struck(Engine& engine) {
    const auto unmet = engine.tracer.faults().unmet();
    if (!unmet.empty()) {
        throw UsageError(fmt::format(
            "--fault '{}': nothing matched it, so nothing was planted; range paths look like "
            "prefill/layer.03.moe/experts.up and decode/step/lm_head, token positions are below "
            "the number of generated or scored tokens and requests count from 0",
            fmt::join(unmet, "', '")));
    }
}

}  // namespace engine::commands

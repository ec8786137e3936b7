// SPDX-License-Identifier: Apache-2.0
// Opens a model and its session, turning everything a person got wrong into a UsageError.
#include "engine/commands/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <limits>
#include <stdexcept>

#include "engine/commands/usage_error.h"
#include "engine/model/config_reader.h"

namespace engine::commands {
namespace {

// What `make` throws about its arguments is the person's to mend.
template <class Make>
auto as_usage(Make make) {
    try {
        return make();
    } catch (const UsageError&) {
        throw;
    } catch (const std::logic_error& error) {  // invalid_argument, out_of_range
        throw UsageError(error.what());
    } catch (const std::runtime_error& error) {  // files
        throw UsageError(error.what());
    }
}

}  // namespace

std::unique_ptr<const model::Model> open_model(const std::string& folder) {
    return as_usage(
        [&] { return std::make_unique<const model::Model>(model::Model::open(folder)); });
}

std::int64_t max_positions(const std::string& folder) {
    return as_usage([&] {
        const model::ConfigReader config(std::filesystem::path(folder) / "config.json");
        return config.count("max_position_embeddings", std::numeric_limits<std::int32_t>::max());
    });
}

std::unique_ptr<Engine> open_engine(const EngineOptions& options, std::int64_t new_tokens) {
    check_backend(options);
    auto faults = as_usage([&] { return trace::FaultTable(options.faults); });
    auto choice = session_options(options);
    choice.maths_faults = faults.maths();
    auto engine = std::make_unique<Engine>(std::move(faults));
    engine->prompt = tokens_from(options.tokens, options.tokens_file);
    engine->model = open_model(options.model);
    engine->vocab = engine->model->geometry().vocab;
    engine->max_positions = max_positions(options.model);
    engine->logit_bytes = choice.precision == model::Precision::f64 ? 8 : 4;
    check_tokens(engine->prompt, engine->vocab, engine->max_positions, new_tokens);
    choice.max_tokens = static_cast<std::int64_t>(engine->prompt.ids.size()) + new_tokens;
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
            "the number of generated tokens and request is 0",
            fmt::join(unmet, "', '")));
    }
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// A model, its session and the prompt it is about to see, ready to run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/commands/options.h"
#include "engine/commands/texts.h"
#include "engine/model/model.h"
#include "engine/model/session.h"
#include "engine/synthetic/open.h"
#include "engine/trace/faults.h"
#include "engine/trace/tracer.h"

namespace engine::commands {

struct Engine {
    Tokens prompt;            // of all texts, where there are several
    std::vector<Text> texts;  // the prompt, text by text
    trace::Tracer tracer;
    std::unique_ptr<const model::Model> model;
    std::unique_ptr<model::Session> session;
    std::int64_t vocab = 0;
    std::int64_t max_positions = 0;  // max_position_embeddings
    double logit_bytes = 4;
    std::int64_t prefill_chunk = 0;  // tokens per call of a prompt; 0: all in one

    explicit Engine(trace::FaultTable faults) : tracer(std::move(faults)) {}
};

// The folder, or the synthetic model, that the options name. `weights` is of synthetic ones.
// Throws UsageError naming file, key or tensor, value seen and limit.
std::unique_ptr<const model::Model> open_model(
    const EngineOptions& options, synthetic::Weights weights = synthetic::Weights::made);

// Checks everything a person can get wrong before any weight is read.
// `new_tokens`: tokens to be appended to the prompt. The session holds the longest text and them.
// Throws UsageError.
std::unique_ptr<Engine> open_engine(const EngineOptions& options, std::int64_t new_tokens);

// Throws UsageError if a planted fault has met nothing: a self-test by it would prove nothing.
void check_faults_struck(Engine& engine);

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// The range tree of a score phase, and what is read off each block of logits.
#include "engine/commands/scorer.h"

#include <algorithm>

#include "engine/ops/token_score.h"
#include "engine/trace/clock.h"

namespace engine::commands {
namespace {

std::int64_t rows_of(const std::vector<std::int32_t>& tokens) {
    return static_cast<std::int64_t>(tokens.size());
}

// Room for every row, so that nothing is allocated while the phase runs.
TextScore room_for(const std::vector<std::int32_t>& tokens) {
    TextScore score;
    score.nll.reserve(tokens.size());
    score.argmax.reserve(tokens.size());
    score.margins.reserve(tokens.size());
    return score;
}

}  // namespace

void append_rows(const model::LogitsBlock& block,
                 std::span<const std::int32_t> tokens,
                 TextScore& score) {
    for (std::int64_t row = 0; row < block.rows; ++row) {
        const auto pick = model::pick(block, row);
        score.argmax.push_back(pick.token);
        score.margins.push_back(pick.margin);
        const auto next = static_cast<std::size_t>(block.first_row + row + 1);
        if (next < tokens.size()) {
            score.nll.push_back(model::nll(block, row, tokens[next]));
        }
    }
}

Scorer::Scorer(Engine& engine)
    : engine_(engine),
      row_work_(ops::token_score::work({static_cast<double>(engine.vocab), engine.logit_bytes})) {}

void Scorer::take(const model::LogitsBlock& block,
                  const std::vector<std::int32_t>& tokens,
                  TextScore& score) {
    engine_.tracer.op(sample_, ops::token_score::declaration, ops::Role::sample,
                      row_work_.at(block.rows), [&] { append_rows(block, tokens, score); });
    if (first_token_ns_ == 0) {
        first_token_ns_ = trace::now_ns();
    }
}

void Scorer::score_text(const std::vector<std::int32_t>& tokens, TextScore& score) {
    engine_.session->reset();
    feed(engine_, tokens, model::Rows::all,
         [&](const model::LogitsBlock& block) { take(block, tokens, score); });
}

PhaseRun Scorer::score(std::span<const std::vector<std::int32_t>> texts, std::int64_t rep) {
    scores_.clear();
    auto run = begin_phase(engine_, "score");
    for (const auto& tokens : texts) {
        scores_.push_back(room_for(tokens));
        run.tokens += rows_of(tokens);
    }
    run.begin_ns = engine_.tracer.open_phase(phase_, {rep, run.tokens, 0});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        score_text(texts[i], scores_[i]);
    }
    run.end_ns = engine_.tracer.close_phase();
    count_phase(engine_, run);
    return run;
}

PhasePlan Scorer::plan(std::span<const std::vector<std::int32_t>> texts) const {
    PhasePlan sum;
    for (const auto& tokens : texts) {
        sum.then(plan_feed(engine_, rows_of(tokens), model::Rows::all));
    }
    return sum;
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Teacher-forced scores of several texts as one measured phase.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/commands/phase.h"

namespace engine::commands {

struct TextScore {
    std::vector<double> nll;           // [tokens - 1]: of token i + 1 given 0..i, natural log
    std::vector<std::int32_t> argmax;  // [tokens]
    std::vector<double> margins;       // [tokens]: top-1 minus top-2 logit
};

// Appends what the logits of some rows of `tokens` say; the last row of a text has no nll.
void append_rows(const model::LogitsBlock& block,
                 std::span<const std::int32_t> tokens,
                 TextScore& score);

class Scorer {
  public:
    explicit Scorer(Engine& engine);

    // Each text from an empty sequence, the logits of all its rows. `rep` as in trace::PhaseInfo.
    PhaseRun score(std::span<const std::vector<std::int32_t>> texts, std::int64_t rep);

    PhasePlan plan(std::span<const std::vector<std::int32_t>> texts) const;

    const std::vector<TextScore>& scores() const { return scores_; }  // of the latest phase

    std::int64_t first_token_ns() const { return first_token_ns_; }  // 0: no row yet

  private:
    void score_text(const std::vector<std::int32_t>& tokens, TextScore& score);
    void take(const model::LogitsBlock& block,
              const std::vector<std::int32_t>& tokens,
              TextScore& score);

    Engine& engine_;
    ops::WorkModel row_work_;
    std::vector<TextScore> scores_;
    std::int64_t first_token_ns_ = 0;
    trace::Label phase_{"score"};
    trace::Label sample_{"sample"};
};

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// One session of a check, fed in pieces and watched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "engine/checks/checks.h"
#include "engine/trace/tracer.h"

namespace engine::checks {

using Ids = std::span<const std::int32_t>;

struct Pass {
    trace::Tracer tracer;
    model::Session session;

    // Room for the prompt and `spare` tokens more; `threads` 0: as many as the subject asks for.
    explicit Pass(const Subject& subject, std::int64_t spare = 0, int threads = 0)
        : session(subject.model, options_of(subject, spare, threads), tracer) {}

    // Appends tokens in pieces of the given sizes, which add up to all of them; `watcher`, a
    // Recording or a Comparison, sees every layer and the logits of the last row.
    template <class Watcher>
    void feed(Ids tokens, std::span<const std::int64_t> pieces, Watcher& watcher) {
        session.observe([&](const model::Residual& residual) { watcher.take(residual); });
        for (const std::int64_t piece : pieces) {
            const auto rows = static_cast<std::size_t>(piece);
            const auto wanted = rows == tokens.size() ? model::Rows::last : model::Rows::none;
            session.forward(tokens.first(rows), wanted,
                            [&](const model::LogitsBlock& block) { watcher.take(block); });
            tokens = tokens.subspan(rows);
        }
        session.observe({});
    }

    template <class Watcher>
    void feed(Ids tokens, Watcher& watcher) {
        const auto all = static_cast<std::int64_t>(tokens.size());
        feed(tokens, std::span(&all, 1), watcher);
    }

    void feed_unseen(Ids tokens) {
        session.forward(tokens, model::Rows::none, [](const model::LogitsBlock&) {});
    }

  private:
    static model::SessionOptions options_of(const Subject& subject,
                                            std::int64_t spare,
                                            int threads) {
        auto options = subject.options;
        options.max_tokens = static_cast<std::int64_t>(subject.tokens.size()) + spare;
        options.threads = threads > 0 ? threads : options.threads;
        return options;
    }
};

// Places within a prompt, drawn alike on every machine.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : generator_(seed) {}

    // In [low, high].
    std::int64_t between(std::int64_t low, std::int64_t high) {
        const auto range = static_cast<std::uint64_t>(high - low + 1);
        return low + static_cast<std::int64_t>(generator_() % range);
    }

  private:
    std::mt19937_64 generator_;
};

inline std::int64_t count_of(const Subject& subject) {
    return static_cast<std::int64_t>(subject.tokens.size());
}

// Sizes of the pieces between cuts at the given places: ascending, within the prompt.
inline std::vector<std::int64_t> pieces_of(const std::vector<std::int64_t>& cuts,
                                           std::int64_t tokens) {
    std::vector<std::int64_t> pieces;
    std::int64_t at = 0;
    for (const std::int64_t cut : cuts) {
        pieces.push_back(cut - at);
        at = cut;
    }
    pieces.push_back(tokens - at);
    return pieces;
}

}  // namespace engine::checks

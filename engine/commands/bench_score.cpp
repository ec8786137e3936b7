// SPDX-License-Identifier: Apache-2.0
// The workload score: how likely the model finds each of several texts.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "engine/commands/bench.h"
#include "engine/commands/scorer.h"
#include "engine/format/sha256.h"

namespace engine::commands {
namespace {

using IdLists = std::vector<std::vector<std::int32_t>>;

IdLists ids_of(const std::vector<Text>& texts) {
    IdLists lists;
    for (const auto& text : texts) {
        lists.push_back(text.tokens.ids);
    }
    return lists;
}

IdLists other_ids(const IdLists& lists, std::int64_t vocab) {
    IdLists others;
    for (const auto& ids : lists) {
        others.push_back(warm_up_tokens(ids, vocab));
    }
    return others;
}

protocol::Loss loss_of(std::size_t request, const std::string& name, const TextScore& score) {
    static_assert(std::endian::native == std::endian::little);
    protocol::Loss loss{.request = static_cast<std::int64_t>(request),
                        .name = name,
                        .tokens = score.nll.size(),
                        .nll_sum = std::accumulate(score.nll.begin(), score.nll.end(), 0.0),
                        .nll_mean = {},
                        .sha256 = format::sha256_hex(std::as_bytes(std::span(score.nll)))};
    if (loss.tokens > 0) {
        loss.nll_mean = loss.nll_sum / static_cast<double>(loss.tokens);
    }
    return loss;
}

// Bit patterns: a NaN equals itself, and +0 is not -0.
bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

[[noreturn]] void fail(std::int64_t rep, std::size_t text, const std::string& what) {
    throw std::runtime_error(
        fmt::format("rep {}, text {}: {}: repeats must be bit-identical, so these measurements are "
                    "invalid",
                    rep, text, what));
}

void compare(const TextScore& first, const TextScore& now, std::int64_t rep, std::size_t text) {
    for (std::size_t i = 0; i < now.argmax.size(); ++i) {
        if (now.argmax[i] != first.argmax[i]) {
            fail(rep, text,
                 fmt::format("argmax at position {} is {}, in rep 0 it was {}", i, now.argmax[i],
                             first.argmax[i]));
        }
    }
    for (std::size_t i = 0; i < now.nll.size(); ++i) {
        if (!same_bits(now.nll[i], first.nll[i])) {
            fail(rep, text,
                 fmt::format("negative log likelihood {} is {:a}, in rep 0 it was {:a}", i,
                             now.nll[i], first.nll[i]));
        }
    }
}

class ScoreBench {
  public:
    ScoreBench(Engine& engine, const BenchLines& lines)
        : engine_(engine),
          lines_(lines),
          scorer_(engine),
          ids_(ids_of(engine.texts)),
          others_(other_ids(ids_, engine.vocab)),
          plan_(scorer_.plan(ids_)) {}

    void warm_up() { scorer_.score(others_, -1); }

    void measure(std::int64_t rep) { lines_.phase(scorer_.score(ids_, rep), rep, plan_); }

    void compare_with_first(std::int64_t rep) {
        if (rep == 0) {
            first_ = scorer_.scores();
        }
        for (std::size_t i = 0; i < first_.size(); ++i) {
            compare(first_[i], scorer_.scores()[i], rep, i);
        }
    }

    void finish() const {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            lines_.loss(loss_of(i, engine_.texts[i].name, first_[i]));
            lines_.output({.request = static_cast<std::int64_t>(i),
                           .tokens = first_[i].argmax,
                           .margins = first_[i].margins});
        }
        lines_.end(plan_, scorer_.first_token_ns());
    }

  private:
    Engine& engine_;
    const BenchLines& lines_;
    Scorer scorer_;
    IdLists ids_;
    IdLists others_;
    PhasePlan plan_;
    std::vector<TextScore> first_;  // of rep 0
};

}  // namespace

void bench_score(const BenchOptions& options, Engine& engine) {
    const BenchLines lines(options, engine);
    lines.hello();
    ScoreBench workload(engine, lines);
    run_reps(options, lines, workload);
    workload.finish();
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Loads are worked out here from the residual stream, not taken from the engine.
#include "tests/engine/synthetic_behaviour.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "engine/model/session.h"
#include "engine/synthetic/draw.h"
#include "tests/engine/op_fixture.h"

namespace behaviour {

namespace {

using engine::model::Block;
using engine::model::Residual;

std::vector<float> widened(const engine::format::Tensor& t) {
    std::vector<float> values(static_cast<std::size_t>(t.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (t.dtype == engine::format::Dtype::f32) {
            std::memcpy(&values[i], t.bytes.data() + 4 * i, 4);
        } else {
            std::uint16_t code = 0;
            std::memcpy(&code, t.bytes.data() + 2 * i, 2);
            values[i] = engine::format::widen_bf16(code);
        }
    }
    return values;
}

// The router of a layer, over rows of its input. Scores come from the engine's own product.
class Router {
  public:
    Router(const engine::model::Model& model, std::size_t layer)
        : moe_(model.geometry().layers[layer].moe),
          norm_(widened(*model.weights().layers[layer].norm)),
          gate_(model.weights().layers[layer].moe.gate),
          bias_(widened(*model.weights().layers[layer].moe.bias)),
          rows_(bias_.size()) {}

    void add(const op_fixture::Machine<float>& machine, const float* x, std::int64_t rows) {
        const std::int64_t hidden = gate_.cols, experts = gate_.rows;
        std::vector<float> h(static_cast<std::size_t>(rows * hidden));
        std::vector<float> logits(static_cast<std::size_t>(rows * experts));
        engine::cpu::rms_norm<float>(*machine, {x, norm_.data(), h.data(), hidden, 1e-5f}, rows);
        const engine::cpu::Matmul<float> product{.weights = &gate_,
                                                 .x = h.data(),
                                                 .x_stride = hidden,
                                                 .y = logits.data(),
                                                 .y_stride = experts,
                                                 .rows = rows,
                                                 .epilogue = engine::cpu::Epilogue::none,
                                                 .rows_done = nullptr};
        engine::cpu::matmul<float>(*machine, std::span(&product, 1));
        for (std::int64_t row = 0; row < rows; ++row) pick(logits.data() + row * experts);
    }

    double load() const {
        const auto sum = std::accumulate(rows_.begin(), rows_.end(), 0.0);
        return static_cast<double>(*std::max_element(rows_.begin(), rows_.end())) *
               static_cast<double>(rows_.size()) / sum;
    }

    std::int64_t idle() const { return std::count(rows_.begin(), rows_.end(), 0); }

  private:
    void pick(const float* logits) {
        std::vector<std::pair<float, std::size_t>> choice;
        for (std::size_t e = 0; e < rows_.size(); ++e) {
            choice.emplace_back(1 / (1 + std::exp(-logits[e])) + bias_[e], e);
        }
        const auto top = choice.begin() + moe_.top_k;
        std::nth_element(choice.begin(), top - 1, choice.end(), std::greater<>());
        for (auto it = choice.begin(); it != top; ++it) ++rows_[it->second];
    }

    engine::model::MoeGeometry moe_;
    std::vector<float> norm_;
    engine::ops::Matrix gate_;
    std::vector<float> bias_;
    std::vector<std::int64_t> rows_;  // per expert
};

// Sums over all chunks.
class Watch {
  public:
    explicit Watch(const engine::model::Model& model)
        : machine_(
              op_fixture::Set::automatic, 2, engine::cpu::matmul_scratch(model.geometry().hidden)),
          squares_(model.geometry().layers.size() + 1),
          sums_(squares_.size()) {
        for (std::size_t i = 0; i < model.geometry().layers.size(); ++i) {
            if (model.geometry().layers[i].kind == Block::moe)
                routers_.emplace(i, Router(model, i));
        }
    }

    void operator()(const Residual& x) {
        double square = 0;
        for (std::int64_t i = 0; i < x.rows * x.hidden; ++i) square += double(x.f32[i]) * x.f32[i];
        const auto after = static_cast<std::size_t>(x.layer + 1);
        squares_[after] += square / static_cast<double>(x.hidden);
        sums_[after].resize(static_cast<std::size_t>(x.hidden));
        for (std::int64_t i = 0; i < x.rows * x.hidden; ++i) {
            sums_[after][static_cast<std::size_t>(i % x.hidden)] += double(x.f32[i]);
        }
        const auto next = routers_.find(static_cast<std::size_t>(x.layer + 1));
        if (next != routers_.end()) next->second.add(machine_, x.f32, x.rows);
    }

    double rms(std::size_t layer_after, std::int64_t tokens) const {
        return std::sqrt(squares_[layer_after] / static_cast<double>(tokens));
    }

    // Share of the mean square that is the same at every token; chance alone gives 1 / tokens.
    double common(std::size_t layer_after, std::int64_t tokens) const {
        double square = 0;
        for (const double sum : sums_[layer_after]) square += sum * sum;
        const auto count = static_cast<double>(tokens);
        return square / static_cast<double>(sums_[layer_after].size()) /
               (count * squares_[layer_after]);
    }

    const std::map<std::size_t, Router>& routers() const { return routers_; }

  private:
    op_fixture::Machine<float> machine_;
    std::vector<double> squares_;            // [layers + 1]
    std::vector<std::vector<double>> sums_;  // [layers + 1][hidden]
    std::map<std::size_t, Router> routers_;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

Seen run(const engine::model::Model& model, std::int64_t tokens, std::uint64_t seed) {
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < tokens; ++i) {
        const std::uint64_t bits = engine::synthetic::draw(seed, static_cast<std::uint64_t>(i));
        ids.push_back(
            static_cast<std::int32_t>(bits % static_cast<std::uint64_t>(model.geometry().vocab)));
    }
    Watch watch(model);
    engine::trace::Tracer tracer;
    engine::model::Session session(model, {.max_tokens = tokens}, tracer);
    session.observe([&](const Residual& x) { watch(x); });
    std::vector<double> margins;
    std::set<std::int32_t> picks;
    const auto begin = std::chrono::steady_clock::now();
    session.forward(ids, engine::model::Rows::all, [&](const engine::model::LogitsBlock& block) {
        for (std::int64_t row = 0; row < block.rows; ++row) {
            const auto pick = engine::model::pick(block, row);
            margins.push_back(pick.margin);
            picks.insert(pick.token);
        }
    });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    Seen seen{.embedding_rms = watch.rms(0, tokens),
              .median_margin = median(margins),
              .distinct_picks = static_cast<std::int64_t>(picks.size()),
              .seconds = taken.count()};
    for (std::size_t i = 0; i < model.geometry().layers.size(); ++i) {
        Layer layer{.kind = std::string(name(model.geometry().layers[i].kind)),
                    .rms = watch.rms(i + 1, tokens),
                    .common = watch.common(i + 1, tokens)};
        if (const auto router = watch.routers().find(i); router != watch.routers().end()) {
            layer.load = router->second.load();
            layer.idle = router->second.idle();
        }
        seen.layers.push_back(layer);
    }
    return seen;
}

std::string table(const std::string& title, const Seen& seen) {
    std::string text = fmt::format(
        "{}: embedding RMS {:.2f}, median margin {:.2f}, {} distinct "
        "picks, forward {:.1f} s\n",
        title, seen.embedding_rms, seen.median_margin, seen.distinct_picks, seen.seconds);
    for (std::size_t i = 0; i < seen.layers.size(); ++i) {
        const Layer& layer = seen.layers[i];
        text += fmt::format("  {:2} {:9} RMS {:5.2f}  common {:5.2f} %", i, layer.kind, layer.rms,
                            100 * layer.common);
        if (layer.load > 0) text += fmt::format("  load {:.2f}  idle {}", layer.load, layer.idle);
        text += '\n';
    }
    return text;
}

engine::synthetic::Spec scaled(const std::string& name, const std::string& replacements) {
    engine::synthetic::Spec spec = engine::synthetic::parse_spec("synthetic:" + name, "");
    auto config = nlohmann::ordered_json::parse(spec.config);
    config.update(nlohmann::ordered_json::parse(replacements));
    spec.config = config.dump();
    spec.name = "scaled-" + spec.name;
    spec.built_in = false;
    return spec;
}

}  // namespace behaviour

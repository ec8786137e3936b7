// SPDX-License-Identifier: Apache-2.0
// A sequence's forward pass: embedding, layers, final norm, head.
#include "engine/model/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "engine/cpu/row_slice.h"
#include "engine/model/finite.h"
#include "engine/ops/embedding.h"
#include "engine/ops/matmul.h"
#include "engine/ops/rms_norm.h"
#include "engine/trace/clock.h"

namespace engine::model {

namespace {

LogitsBlock block_of(std::int64_t first_row,
                     std::int64_t rows,
                     std::int64_t vocab,
                     const float* p) {
    return {.first_row = first_row, .rows = rows, .vocab = vocab, .f32 = p};
}

LogitsBlock block_of(std::int64_t first_row,
                     std::int64_t rows,
                     std::int64_t vocab,
                     const double* p) {
    return {.first_row = first_row, .rows = rows, .vocab = vocab, .f64 = p};
}

Residual residual_of(std::int64_t layer,
                     std::int64_t first_row,
                     std::int64_t rows,
                     std::int64_t hidden,
                     const float* x) {
    return {.layer = layer, .first_row = first_row, .rows = rows, .hidden = hidden, .f32 = x};
}

Residual residual_of(std::int64_t layer,
                     std::int64_t first_row,
                     std::int64_t rows,
                     std::int64_t hidden,
                     const double* x) {
    return {.layer = layer, .first_row = first_row, .rows = rows, .hidden = hidden, .f64 = x};
}

// The fault unstable_repeat: low bits of one element, taken from the clock.
template <class T>
void unsettle(T* x) {
    const auto stamp = static_cast<std::uint64_t>(trace::now_ns());
    const std::uint64_t noise = stamp * 0x9e3779b97f4a7c15u >> 44;  // 20 bits
    if constexpr (sizeof(T) == 4) {
        *x = std::bit_cast<T>(std::bit_cast<std::uint32_t>(*x) ^ static_cast<std::uint32_t>(noise));
    } else {
        *x = std::bit_cast<T>(std::bit_cast<std::uint64_t>(*x) ^ noise);
    }
}

}  // namespace

cpu::Set set_of(Isa isa) {
    switch (isa) {
        case Isa::baseline:
            return cpu::Set::baseline;
        case Isa::avx2:
            return cpu::Set::avx2;
        case Isa::automatic:
            break;
    }
    return cpu::Set::automatic;
}

template <class T>
Runner<T>::Runner(const Model& model,
                  const SessionOptions& options,
                  cpu::Pool& pool,
                  trace::Tracer& tracer)
    : model_(model),
      tracer_(tracer),
      faults_(parse_maths_faults(options.maths_faults)),
      moe_(options.moe),
      capacity_(options.max_tokens),
      labels_(model.geometry()),
      packed_(pack<T>(model, faults_)) {
    for (const LayerGeometry& layer : model.geometry().layers) {
        states_.push_back(make_state<T>(model.geometry(), layer.kind, capacity_));
    }
    backend_ = {&cpu::choose_kernels<T>(set_of(options.isa)), &pool, nullptr, thread_scratch()};
}

template <class T>
void Runner<T>::reset() {
    position_ = 0;
    for (LayerState<T>& state : states_) {  // the cache is overwritten before it is read
        std::fill(state.mamba.window.begin(), state.mamba.window.end(), T(0));
        std::fill(state.mamba.states.begin(), state.mamba.states.end(), T(0));
    }
}

template <class T>
SavedState<T> Runner<T>::save() const {
    return save_state(model_.geometry(), states_, position_);
}

template <class T>
void Runner<T>::load(const SavedState<T>& saved) {
    reset();
    if (faults_.snapshot_keeps_nothing) return;
    load_state(model_.geometry(), saved, states_);
    position_ = saved.position;
    if (!faults_.snapshot_drops_state) return;
    for (LayerState<T>& state : states_) {
        std::fill(state.mamba.states.begin(), state.mamba.states.end(), T(0));
    }
}

// The most that any op of this model asks for, per thread.
template <class T>
std::int64_t Runner<T>::thread_scratch() const {
    const Geometry& g = model_.geometry();
    std::int64_t most = cpu::matmul_scratch(g.hidden);
    const auto need = [&](std::int64_t elements) { most = std::max(most, elements); };
    for (const LayerGeometry& layer : g.layers) {
        if (layer.kind == Block::mamba) need(cpu::matmul_scratch(g.mamba.inner()));
        if (layer.kind == Block::attention) {
            const AttentionGeometry& a = g.attention;
            need(cpu::matmul_scratch(a.heads * a.head_dim));
            need(cpu::attention_scratch(a.head_dim, a.heads / a.kv_heads));
        }
        if (layer.kind == Block::moe) {
            need(cpu::matmul_scratch(layer.moe.width));
            if (layer.moe.latent > 0) need(cpu::matmul_scratch(layer.moe.latent));
            if (layer.moe.shared_width > 0) need(cpu::matmul_scratch(layer.moe.shared_width));
        }
        if (layer.kind == Block::mlp) need(cpu::matmul_scratch(layer.mlp_width));
    }
    return (most + 15) / 16 * 16;
}

template <class T>
std::uint64_t Runner<T>::thread_scratch_bytes() const {
    const std::array all{backend_.pool->threads() * backend_.thread_scratch};
    return pieces_bytes(all, sizeof(T));
}

template <class T>
void Runner<T>::forward(std::span<const std::int32_t> tokens, Rows wanted, const LogitsSink& sink) {
    const std::int64_t vocab = model_.geometry().vocab;
    const auto count = static_cast<std::int64_t>(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] >= 0 && tokens[i] < vocab) continue;
        throw std::out_of_range(fmt::format(
            "token {} at index {} is outside the vocabulary, 0 to {}", tokens[i], i, vocab - 1));
    }
    if (count > capacity_ - position_) {
        throw std::out_of_range(
            fmt::format("{} tokens after {} are over this session's capacity of {} tokens", count,
                        position_, capacity_));
    }
    arena_.reserve(plan(position_, count, wanted).scratch_bytes - packed_.bytes());
    thread_arena_.reserve(thread_scratch_bytes());
    while (!tokens.empty()) {
        const auto rows = static_cast<std::size_t>(
            next_chunk(position_, static_cast<std::int64_t>(tokens.size())));
        const bool last = rows == tokens.size();
        run_chunk(tokens.first(rows), wanted == Rows::last && !last ? Rows::none : wanted, sink);
        tokens = tokens.subspan(rows);
    }
}

template <class T>
void Runner<T>::run_chunk(std::span<const std::int32_t> tokens,
                          Rows wanted,
                          const LogitsSink& sink) {
    const Arena::Scope scope(arena_), thread_scope(thread_arena_);
    const auto rows = static_cast<std::int64_t>(tokens.size());
    backend_.scratch =
        thread_arena_.template take<T>(backend_.pool->threads() * backend_.thread_scratch);
    T* x = arena_.template take<T>(rows * model_.geometry().hidden);
    const Chunk<T> chunk{.geometry = model_.geometry(),
                         .backend = backend_,
                         .labels = labels_,
                         .faults = faults_,
                         .arena = arena_,
                         .tracer = tracer_,
                         .counters = counters_,
                         .moe = moe_,
                         .rows = rows,
                         .position = position_,
                         .capacity = capacity_,
                         .x = x};
    embed(chunk, tokens);
    if (faults_.unstable_repeat) unsettle(x);
    show(chunk, -1);
    run_layers(chunk);
    counters_.tokens += static_cast<std::uint64_t>(rows);
    if (wanted != Rows::none) run_head(chunk, wanted, sink);
    position_ += rows;
}

template <class T>
void Runner<T>::embed(const Chunk<T>& chunk, std::span<const std::int32_t> tokens) {
    const ops::Matrix& table = model_.weights().embedding;
    const ops::embedding::Shape shape{.hidden = double(table.cols),
                                      .row_bytes = ops::stored_row_bytes(table),
                                      .element_bytes = sizeof(T)};
    chunk.op(labels_.embedding, ops::embedding::declaration, ops::Role::embedding,
             ops::embedding::work(shape).at(chunk.rows), [&] {
                 cpu::embedding(backend_, {&table, tokens.data(), chunk.x}, chunk.rows);
             });
}

template <class T>
void Runner<T>::run_layers(const Chunk<T>& chunk) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const LayerGeometry& layer = model_.geometry().layers[i];
        const LayerWeights& weights = model_.weights().layers[i];
        const PackedLayer<T>& packed = packed_.layers[i];
        tracer_.open(labels_.layers[i]);
        switch (layer.kind) {
            case Block::mamba:
                run_mamba(chunk, weights.mamba, packed, states_[i].mamba);
                break;
            case Block::attention:
                run_attention(chunk, weights.attention, packed, states_[i]);
                break;
            case Block::moe:
                run_moe(chunk, layer.moe, weights.moe, packed);
                break;
            case Block::mlp:
                run_mlp(chunk, weights.mlp, packed);
                break;
        }
        tracer_.close();
        show(chunk, static_cast<std::int64_t>(i));
    }
}

template <class T>
void Runner<T>::show(const Chunk<T>& chunk, std::int64_t layer) const {
    if (tap_) tap_(residual_of(layer, chunk.position, chunk.rows, chunk.geometry.hidden, chunk.x));
}

template <class T>
void Runner<T>::run_head(const Chunk<T>& chunk, Rows wanted, const LogitsSink& sink) {
    const Geometry& g = model_.geometry();
    const std::int64_t rows = wanted == Rows::last ? 1 : chunk.rows, skipped = chunk.rows - rows;
    T* h = arena_.template take<T>(rows * g.hidden);
    T* logits = arena_.template take<T>(rows * g.vocab);
    const ops::rms_norm::Shape norm{.hidden = double(g.hidden), .element_bytes = sizeof(T)};
    const cpu::RowSlice<T> last =
        cpu::RowSlice<T>(chunk.x, chunk.rows, g.hidden).slice(skipped, rows);
    const cpu::RmsNorm<T> call{last.data(), packed_.final_norm.data(), h, g.hidden, T(g.epsilon)};
    chunk.op(labels_.final_norm, ops::rms_norm::declaration, ops::Role::norm,
             ops::rms_norm::work(norm).at(rows), [&] { cpu::rms_norm(backend_, call, rows); });
    const Chunk<T> head{.geometry = g,
                        .backend = backend_,
                        .labels = labels_,
                        .faults = faults_,
                        .arena = arena_,
                        .tracer = tracer_,
                        .counters = counters_,
                        .moe = moe_,
                        .rows = rows,
                        .position = chunk.position + skipped,
                        .capacity = capacity_,
                        .x = h};
    head.matmul(labels_.lm_head, ops::Role::lm_head, model_.weights().lm_head, h, logits);
    require_finite(model_, block_of(chunk.position + skipped, rows, g.vocab, logits));
    sink(block_of(chunk.position + skipped, rows, g.vocab, logits));
}

template <class T>
BlockPlan Runner<T>::plan_layer(const LayerGeometry& layer, std::int64_t rows) const {
    const Geometry& g = model_.geometry();
    switch (layer.kind) {
        case Block::mamba:
            return plan_mamba(g, rows, sizeof(T));
        case Block::attention:
            return plan_attention(g, rows, capacity_, sizeof(T));
        case Block::moe:
            return plan_moe(g, layer.moe, moe_, rows, sizeof(T));
        case Block::mlp:
            return plan_mlp(g, layer.mlp_width, rows, sizeof(T));
    }
    return {};
}

template <class T>
Plan Runner<T>::plan_chunk(std::int64_t rows, std::int64_t head_rows) const {
    const Geometry& g = model_.geometry();
    const std::array always{rows * g.hidden};
    const std::array head{head_rows * g.hidden, head_rows * g.vocab};
    Plan plan{.ops = 1};
    std::uint64_t most = 0;
    for (const LayerGeometry& layer : g.layers) {
        const BlockPlan block = plan_layer(layer, rows);
        plan.ops += block.ops;
        plan.expert_rows += block.expert_rows;
        most = std::max(most, block.scratch_bytes);
    }
    if (head_rows > 0) {
        plan.ops += 2;
        most = std::max(most, pieces_bytes(head, sizeof(T)));
    }
    plan.scratch_bytes = most + pieces_bytes(always, sizeof(T));
    return plan;
}

template <class T>
Plan Runner<T>::plan(std::int64_t position, std::int64_t rows, Rows wanted) const {
    Plan plan;
    for (std::int64_t left = rows; left > 0;) {
        const std::int64_t chunk = next_chunk(position, left);
        position += chunk;
        left -= chunk;
        const std::int64_t head =
            wanted == Rows::all ? chunk : (wanted == Rows::last && left == 0 ? 1 : 0);
        const Plan part = plan_chunk(chunk, head);
        plan.ops += part.ops;
        plan.logits_blocks += head > 0 ? 1 : 0;
        plan.expert_rows += part.expert_rows;
        plan.scratch_bytes = std::max(plan.scratch_bytes, part.scratch_bytes);
    }
    const std::uint64_t packed = packed_elements(model_.geometry()) * sizeof(T);
    plan.scratch_bytes += packed;
    plan.thread_scratch_bytes = rows > 0 ? thread_scratch_bytes() : 0;
    for (const LayerGeometry& layer : model_.geometry().layers) {
        plan.state_bytes += state_elements(model_.geometry(), layer.kind, capacity_) * sizeof(T);
    }
    return plan;
}

template class Runner<float>;
template class Runner<double>;

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// What the kinds of blocks share.
#include "engine/model/chunk.h"

#include <fmt/format.h>

#include "engine/model/not_enough_memory.h"
#include "engine/ops/matmul.h"
#include "engine/ops/residual_add.h"
#include "engine/ops/rms_norm.h"

namespace engine::model {

template <class T>
void Chunk<T>::matmul(const trace::Label& label,
                      ops::Role role,
                      const ops::Matrix& weights,
                      const T* from,
                      T* to,
                      cpu::Epilogue epilogue) const {
    const ops::matmul::Shape shape{.in_features = double(weights.cols),
                                   .out_features = double(weights.rows),
                                   .weight_bytes = ops::stored_bytes(weights),
                                   .element_bytes = sizeof(T)};
    const cpu::Matmul<T> call{.weights = &weights,
                              .x = from,
                              .x_stride = weights.cols,
                              .y = to,
                              .y_stride = weights.rows,
                              .rows = rows,
                              .epilogue = epilogue,
                              .rows_done = nullptr};
    op(label, ops::matmul::declaration(weights.format), role, ops::matmul::work(shape).at(rows),
       [&] { cpu::matmul<T>(backend, std::span(&call, 1)); });
}

template <class T>
void Chunk<T>::norm(const std::vector<T>& weight, T* to) const {
    const ops::rms_norm::Shape shape{.hidden = double(geometry.hidden), .element_bytes = sizeof(T)};
    op(labels.norm, ops::rms_norm::declaration, ops::Role::norm,
       ops::rms_norm::work(shape).at(rows), [&] {
           const cpu::RmsNorm<T> call{x, weight.data(), to, geometry.hidden, T(geometry.epsilon)};
           cpu::rms_norm(backend, call, rows);
       });
}

template <class T>
void Chunk<T>::residual(const T* addend, const T* second) const {
    const ops::residual_add::Shape shape{.hidden = double(geometry.hidden),
                                         .addends = second ? 2.0 : 1.0,
                                         .element_bytes = sizeof(T)};
    op(labels.residual, ops::residual_add::declaration, ops::Role::elementwise,
       ops::residual_add::work(shape).at(rows), [&] {
           cpu::residual_add(backend, {x, addend, second}, rows * geometry.hidden);
       });
}

std::uint64_t pieces_bytes(std::span<const std::int64_t> counts, std::uint64_t element) {
    std::uint64_t sum = 0;
    for (const std::int64_t count : counts) {
        sum += piece_bytes(static_cast<std::uint64_t>(count) * element);
    }
    return sum;
}

std::uint64_t state_elements(const Geometry& geometry, Block kind, std::int64_t capacity) {
    const MambaGeometry& m = geometry.mamba;
    const AttentionGeometry& a = geometry.attention;
    const std::int64_t keys = (capacity + cpu::key_block - 1) / cpu::key_block * cpu::key_block;
    std::int64_t count = 0;
    if (kind == Block::mamba) {
        count =
            (m.conv_taps - 1) * m.conv_channels() + m.heads * m.state * cpu::padded_dim(m.head_dim);
    } else if (kind == Block::attention) {
        count = a.kv_heads * keys * (a.head_dim + cpu::padded_dim(a.head_dim));
    }
    return static_cast<std::uint64_t>(count);
}

namespace {

template <class T>
LayerState<T> zero_state(const Geometry& geometry, Block kind, std::int64_t capacity) {
    const MambaGeometry& m = geometry.mamba;
    const AttentionGeometry& a = geometry.attention;
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    LayerState<T> state;
    if (kind == Block::mamba) {
        state.mamba.window.resize(size((m.conv_taps - 1) * m.conv_channels()));
        state.mamba.states.resize(size(m.heads * m.state * cpu::padded_dim(m.head_dim)));
    } else if (kind == Block::attention) {
        const std::int64_t keys = (capacity + cpu::key_block - 1) / cpu::key_block * cpu::key_block;
        state.keys.resize(size(a.kv_heads * keys * a.head_dim));
        state.values.resize(size(a.kv_heads * keys * cpu::padded_dim(a.head_dim)));
    }
    return state;
}

}  // namespace

template <class T>
LayerState<T> make_state(const Geometry& geometry, Block kind, std::int64_t capacity) {
    try {
        return zero_state<T>(geometry, kind, capacity);
    } catch (const std::exception&) {  // bad_alloc, or length_error beyond what a vector can hold
        throw NotEnoughMemory(state_elements(geometry, kind, capacity) * sizeof(T),
                              fmt::format("the state of one layer for {} tokens", capacity));
    }
}

template struct Chunk<float>;
template struct Chunk<double>;
template LayerState<float> make_state(const Geometry&, Block, std::int64_t);
template LayerState<double> make_state(const Geometry&, Block, std::int64_t);

}  // namespace engine::model

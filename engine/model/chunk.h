// SPDX-License-Identifier: Apache-2.0
// What a block needs to work on some consecutive rows of a sequence, and the four kinds of blocks.
//
// Each kind says by arithmetic alone how many ops it opens and how much scratch it takes; tests
// hold both against what happens.
#pragma once

#include <span>

#include "engine/cpu/backend.h"
#include "engine/model/arena.h"
#include "engine/model/geometry.h"
#include "engine/model/labels.h"
#include "engine/model/packed.h"
#include "engine/model/session.h"
#include "engine/model/weights.h"
#include "engine/ops/op.h"

namespace engine::model {

template <class T>
struct Chunk {
    const Geometry& geometry;
    const cpu::Backend<T>& backend;
    const Labels& labels;
    const MathsFaults& faults;
    Arena& arena;
    trace::Tracer& tracer;
    Counters& counters;
    Moe moe;
    std::int64_t rows;
    std::int64_t position;  // of the first row
    std::int64_t capacity;  // of the KV cache, in tokens
    T* x;                   // [rows, hidden]: the residual stream

    template <class Body>
    void op(const trace::Label& label,
            const ops::Declaration& declaration,
            ops::Role role,
            const ops::Work& work,
            const Body& body) const {
        tracer.op(label, declaration, role, work, body);
    }

    // y = act(x W^T) for all rows, as an op of its own.
    void matmul(const trace::Label& label,
                ops::Role role,
                const ops::Matrix& weights,
                const T* from,  // [rows, in]
                T* to,          // [rows, out]
                cpu::Epilogue epilogue = cpu::Epilogue::none) const;

    void norm(const std::vector<T>& weight, T* to) const;             // x -> to [rows, hidden]
    void residual(const T* addend, const T* second = nullptr) const;  // x += addends
};

template <class T>
struct MambaState {
    std::vector<T> window;  // [taps - 1, conv_channels]: inputs before the next row
    std::vector<T> states;  // [heads, state, padded head_dim]
};

template <class T>
struct LayerState {  // what a layer keeps between chunks
    MambaState<T> mamba;
    std::vector<T> keys, values;  // see cpu::KvCache
};

template <class T>
LayerState<T> make_state(const Geometry& geometry, Block kind, std::int64_t capacity);
std::uint64_t state_elements(const Geometry& geometry, Block kind, std::int64_t capacity);

template <class T>
void run_mamba(const Chunk<T>&, const MambaWeights&, const PackedLayer<T>&, MambaState<T>&);
template <class T>
void run_attention(const Chunk<T>&, const AttentionWeights&, const PackedLayer<T>&, LayerState<T>&);
template <class T>
void run_moe(const Chunk<T>&, const MoeGeometry&, const MoeWeights&, const PackedLayer<T>&);
template <class T>
void run_mlp(const Chunk<T>&, const MlpWeights&, const PackedLayer<T>&);

// Ops opened and scratch taken for one layer and `rows` rows; element: sizeof(T).
struct BlockPlan {
    std::uint64_t ops = 0;
    std::uint64_t scratch_bytes = 0;
    std::uint64_t expert_rows = 0;
};

BlockPlan plan_mamba(const Geometry& geometry, std::int64_t rows, std::uint64_t element);
BlockPlan plan_attention(const Geometry& geometry,
                         std::int64_t rows,
                         std::int64_t capacity,
                         std::uint64_t element);
BlockPlan plan_moe(const Geometry& geometry,
                   const MoeGeometry& moe,
                   Moe mode,
                   std::int64_t rows,
                   std::uint64_t element);
BlockPlan plan_mlp(const Geometry& geometry,
                   std::int64_t width,
                   std::int64_t rows,
                   std::uint64_t element);

// Scratch for some pieces of `element` bytes each, as Arena::take() counts them.
std::uint64_t pieces_bytes(std::span<const std::int64_t> counts, std::uint64_t element);

}  // namespace engine::model

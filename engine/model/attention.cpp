// SPDX-License-Identifier: Apache-2.0
// The attention block: norm, q, k, v, cache, attention, output.
#include <array>
#include <cmath>

#include "engine/model/chunk.h"
#include "engine/ops/attention.h"
#include "engine/ops/kv_write.h"

namespace engine::model {

namespace {

template <class T>
cpu::KvCache<T> cache_of(const Chunk<T>& c, LayerState<T>& state) {
    const AttentionGeometry& a = c.geometry.attention;
    return {.keys = state.keys.data(),
            .values = state.values.data(),
            .head_keys = static_cast<cpu::Index>(state.keys.size()) / a.kv_heads,
            .head_values = static_cast<cpu::Index>(state.values.size()) / a.kv_heads,
            .head_dim = a.head_dim,
            .padded = cpu::padded_dim(a.head_dim)};
}

template <class T>
void write_cache(const Chunk<T>& c, const cpu::KvCache<T>& cache, const T* k, const T* v) {
    const AttentionGeometry& a = c.geometry.attention;
    const ops::kv_write::Shape shape{
        .kv_heads = double(a.kv_heads), .head_dim = double(a.head_dim), .element_bytes = sizeof(T)};
    c.op(c.labels.kv_write, ops::kv_write::declaration, ops::Role::gather,
         ops::kv_write::work(shape).at(c.rows), [&] {
             cpu::kv_write(c.backend, {cache, k, v, a.kv_heads, c.position}, c.rows);
         });
}

template <class T>
void attend(const Chunk<T>& c, const cpu::KvCache<T>& cache, const T* q, T* out, T* partials) {
    const AttentionGeometry& a = c.geometry.attention;
    const bool decode = c.rows == 1;
    const std::int64_t keys = c.position + c.rows;
    const ops::attention::Shape shape{.heads = double(a.heads),
                                      .kv_heads = double(a.kv_heads),
                                      .head_dim = double(a.head_dim),
                                      .shared_keys = decode ? 0.0 : double(keys),
                                      .element_bytes = sizeof(T)};
    const std::int64_t context = c.rows * c.position + c.rows * (c.rows + 1) / 2;
    const T dim = T(a.head_dim);
    const cpu::Attention<T> call{.cache = cache,
                                 .q = q,
                                 .out = out,
                                 .heads = a.heads,
                                 .kv_heads = a.kv_heads,
                                 .position = c.position,
                                 .scale = T(1) / std::sqrt(dim)};
    c.op(c.labels.attention, decode ? ops::attention::decode : ops::attention::prefill,
         ops::Role::attention, ops::attention::work(shape).at(c.rows, context),
         [&] { cpu::attention(c.backend, call, c.rows, partials); });
}

}  // namespace

template <class T>
void run_attention(const Chunk<T>& c,
                   const AttentionWeights& weights,
                   const PackedLayer<T>& packed,
                   LayerState<T>& state) {
    const AttentionGeometry& a = c.geometry.attention;
    const std::int64_t q_width = a.heads * a.head_dim, kv_width = a.kv_heads * a.head_dim;
    const Arena::Scope scope(c.arena);
    T* h = c.arena.template take<T>(c.rows * c.geometry.hidden);
    T* q = c.arena.template take<T>(c.rows * q_width);
    T* k = c.arena.template take<T>(c.rows * kv_width);
    T* v = c.arena.template take<T>(c.rows * kv_width);
    T* out = c.arena.template take<T>(c.rows * q_width);
    T* partials =
        c.arena.template take<T>(cpu::attention_partials(a.heads, a.head_dim, c.capacity));
    const auto role = ops::Role::attention_projection;
    c.norm(packed.norm, h);
    c.matmul(c.labels.q_proj, role, weights.q, h, q);
    c.matmul(c.labels.k_proj, role, weights.k, h, k);
    c.matmul(c.labels.v_proj, role, weights.v, h, v);
    const cpu::KvCache<T> cache = cache_of(c, state);
    write_cache(c, cache, k, v);
    attend(c, cache, q, out, partials);
    c.matmul(c.labels.o_proj, role, weights.o, out, h);
    c.residual(h);
}

BlockPlan plan_attention(const Geometry& geometry,
                         std::int64_t rows,
                         std::int64_t capacity,
                         std::uint64_t element) {
    const AttentionGeometry& a = geometry.attention;
    const std::array counts{
        rows * geometry.hidden,         rows * a.heads * a.head_dim,
        rows * a.kv_heads * a.head_dim, rows * a.kv_heads * a.head_dim,
        rows * a.heads * a.head_dim,    cpu::attention_partials(a.heads, a.head_dim, capacity)};
    return {.ops = 8, .scratch_bytes = pieces_bytes(counts, element)};
}

template void run_attention(const Chunk<float>&,
                            const AttentionWeights&,
                            const PackedLayer<float>&,
                            LayerState<float>&);
template void run_attention(const Chunk<double>&,
                            const AttentionWeights&,
                            const PackedLayer<double>&,
                            LayerState<double>&);

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// The ops of the CPU backend: each splits its work into tasks for the pool.
#pragma once

#include <span>
#include <string_view>

#include "engine/cpu/kernels.h"
#include "engine/cpu/pool.h"

namespace engine::cpu {

template <class T>
struct Backend {
    const Kernels<T>* kernels = nullptr;
    Pool* pool = nullptr;
    T* scratch = nullptr;      // [threads, thread_scratch]
    Index thread_scratch = 0;  // elements; at least what each op below asks for
};

enum class Set : std::uint8_t { automatic, baseline, avx2 };  // instruction sets

// automatic: the best this machine has. Throws std::invalid_argument for one it lacks.
template <class T>
const Kernels<T>& choose_kernels(Set set);
std::string_view chosen_set(Set set);  // "baseline" or "avx2"

// Elements of thread_scratch that an op needs.
Index matmul_scratch(Index in_features);
Index attention_scratch(Index head_dim, Index group);

// Rows from which attention goes over tiles of rows; fewer rows split their keys instead.
constexpr Index attention_tile_rows = 8;

// Elements of `partials` that attention over few rows needs, for a cache of `capacity` keys.
Index attention_partials(Index heads, Index head_dim, Index capacity);

Index padded_dim(Index head_dim);  // rounded up to 16 lanes

// Independent products in one go; those with rows = 0 cost nothing.
template <class T>
void matmul(const Backend<T>& backend, std::span<const Matmul<T>> batch);

template <class T>
void embedding(const Backend<T>& backend, const Embedding<T>& op, Index rows);

template <class T>
void rms_norm(const Backend<T>& backend, const RmsNorm<T>& op, Index rows);

template <class T>
void causal_conv(const Backend<T>& backend, const CausalConv<T>& op, Index rows);

template <class T>
void ssd_scan(const Backend<T>& backend, const SsdScan<T>& op);

template <class T>
void gated_group_norm(const Backend<T>& backend, const GatedGroupNorm<T>& op, Index rows);

template <class T>
void kv_write(const Backend<T>& backend, const KvWrite<T>& op, Index rows);

template <class T>
void attention(const Backend<T>& backend, const Attention<T>& op, Index rows, T* partials);

template <class T>
void route(const Backend<T>& backend, const Routing<T>& op, Index rows);

template <class T>
void row_gather(const Backend<T>& backend, const RowGather<T>& op, Index rows);

// Before anything is written it throws std::out_of_range for a slot outside packed_rows, naming the
// slot, and std::invalid_argument when `out` overlaps an input.
template <class T>
void weighted_row_sum(const Backend<T>& backend, const WeightedRowSum<T>& op, Index rows);

template <class T>
void residual_add(const Backend<T>& backend, const ResidualAdd<T>& op, Index count);

// What weighted_row_sum() refuses.
template <class T>
void check(const WeightedRowSum<T>& op, Index rows);

}  // namespace engine::cpu

// SPDX-License-Identifier: Apache-2.0
// What the CPU's kernels take, and the table of them for one instruction set.
//
// The same source is compiled once per instruction set; every table gives the same bytes. So does
// any split of an op into ranges: an output's sum has one order, whoever computes it.
// T is float or double. The structs are plain data: kernels run no code of other headers.
#pragma once

#include <cstdint>

#include "engine/ops/matrix.h"

namespace engine::cpu {

using Index = std::int64_t;

struct Range {
    Index begin;
    Index end;
};

enum class Epilogue : std::uint8_t { none, relu2 };  // relu2: max(y, 0)^2

constexpr Index key_block = 64;       // keys of one softmax update, cut at absolute positions
constexpr Index segment_keys = 1024;  // keys of one partial attention, cut at absolute positions
constexpr Index scan_lanes = 16;      // columns of a head that one scan task advances

template <class T>
struct Matmul {
    const ops::Matrix* weights;  // [out, in]
    const T* x;                  // [rows, in], rows x_stride apart
    Index x_stride;
    T* y;  // [rows, out], rows y_stride apart
    Index y_stride;
    Index rows;
    Epilogue epilogue;
    std::int64_t* rows_done;  // raised by every row whose outputs were computed; or nullptr
};

template <class T>
struct Embedding {
    const ops::Matrix* table;  // [vocab, hidden]
    const std::int32_t* tokens;
    T* x;  // [rows, hidden]
};

template <class T>
struct RmsNorm {
    const T* x;       // [rows, width]
    const T* weight;  // [width]
    T* y;             // [rows, width]
    Index width;
    T epsilon;
};

template <class T>
struct CausalConv {
    const T* u;  // [rows, channels], rows u_stride apart
    Index u_stride;
    const T* window;  // [taps - 1, channels]: the inputs just before the first row
    const T* weight;  // [taps, channels]: the last tap is for the row itself
    const T* bias;    // [channels]
    T* y;             // [rows, channels]
    Index channels;
    Index taps;
};

template <class T>
struct SsdScan {
    const T* conv;  // [rows, heads * head_dim | groups * state (B) | groups * state (C)]
    Index conv_stride;
    const T* dt;  // [rows, heads], before bias and softplus
    Index dt_stride;
    const T* dt_bias;  // [heads]
    const T* decay;    // [heads]: A = -exp(A_log)
    const T* skip;     // [heads]: D
    T* state;          // [heads, state, padded]: padded = head_dim rounded up to scan_lanes
    T* y;              // [rows, heads * head_dim]
    Index rows, heads, head_dim, groups, states;
    T dt_floor, dt_ceiling;
};

template <class T>
struct GatedGroupNorm {
    const T* y;  // [rows, inner]
    const T* z;  // [rows, inner], rows z_stride apart
    Index z_stride;
    const T* weight;  // [inner]
    T* out;           // [rows, inner]
    Index inner, groups;
    T epsilon;
    bool norm_before_gate;  // false in this family; true only as a planted fault
};

// Cache of one layer: per KV head, blocks of key_block keys. Keys lie transposed in a block,
// [head_dim, key_block]; values [key_block, padded], padded = head_dim rounded up to 16.
template <class T>
struct KvCache {
    T* keys;
    T* values;
    Index head_keys;    // elements from one KV head's keys to the next's
    Index head_values;  // the same for values
    Index head_dim, padded;
};

template <class T>
struct KvWrite {
    KvCache<T> cache;
    const T* k;  // [rows, kv_heads * head_dim]
    const T* v;  // [rows, kv_heads * head_dim]
    Index kv_heads;
    Index position;  // of the first row
};

template <class T>
struct Attention {
    KvCache<T> cache;
    const T* q;  // [rows, heads * head_dim]
    T* out;      // [rows, heads * head_dim]
    Index heads, kv_heads;
    Index position;  // of the first row
    T scale;         // 1 / sqrt(head_dim)
};

// Partial softmax over some keys, for some (row, head of the group) pairs, row-major.
template <class T>
struct Partial {
    T* acc;     // [pairs, padded]: sum of exp(score - peak) * value
    T* peak;    // [pairs]: highest score
    T* weight;  // [pairs]: sum of exp(score - peak)
};

template <class T>
struct Routing {
    const T* logits;      // [rows, experts]
    const T* bias;        // [experts]: selects, does not weigh
    std::int32_t* picks;  // [rows, top_k], best first
    T* weights;           // [rows, top_k]
    Index experts, top_k, groups, top_groups;
    T scale;
    bool normalise;
    T* choice;  // [rows, experts]: scratch
};

template <class T>
struct RowGather {
    const T* x;                 // [rows, width]
    const std::int32_t* slots;  // [rows, top_k]: packed row of each pick
    T* packed;                  // [rows * top_k, width]
    Index width, top_k;
};

template <class T>
struct WeightedRowSum {
    const T* packed;  // [packed_rows, width]
    Index packed_rows;
    const std::int32_t* slots;  // [rows, top_k]: rows of packed
    const T* weights;           // [rows, top_k]
    T* out;                     // [rows, width]; overlaps none of the above
    Index width, top_k;
    bool accumulate = false;  // add the sums to what out holds, instead of storing them
};

template <class T>
struct ResidualAdd {
    T* x;        // [count]
    const T* a;  // [count]
    const T* b;  // [count], or nullptr
};

// Each function does a part of its op: the given rows, or the given tasks.
template <class T>
struct Kernels {
    // panel: [outputs, in] of scratch, for the widened weights.
    void (*matmul)(const Matmul<T>&, Range outputs, Range rows, T* panel);
    void (*embedding)(const Embedding<T>&, Range rows);
    void (*rms_norm)(const RmsNorm<T>&, Range rows);
    void (*causal_conv)(const CausalConv<T>&, Range rows);
    void (*ssd_scan)(const SsdScan<T>&, Range tasks);  // task = head * ceil(head_dim / 16) + block
    void (*gated_group_norm)(const GatedGroupNorm<T>&, Range rows);
    void (*kv_write)(const KvWrite<T>&, Range rows);
    // Rows x keys of one segment. scores: [pairs, key_block], queries: [pairs, head_dim].
    void (*attention_segment)(const Attention<T>&,
                              Index kv_head,
                              Range rows,
                              Index segment,
                              const Partial<T>&,
                              T* queries,
                              T* scores);
    // Adds a later segment's partial to the running one.
    void (*attention_merge)(Index pairs, Index padded, const Partial<T>& into, const Partial<T>&);
    void (*attention_finish)(const Attention<T>&, Index kv_head, Range rows, const Partial<T>&);
    void (*route)(const Routing<T>&, Range rows);
    void (*row_gather)(const RowGather<T>&, Range rows);
    void (*weighted_row_sum)(const WeightedRowSum<T>&, Range rows);
    void (*residual_add)(const ResidualAdd<T>&, Range elements);
    void (*exp)(const T* x, T* y, Index count);
    T (*log)(T x);
};

template <class T>
const Kernels<T>& baseline_kernels();

// nullptr: this build has none.
template <class T>
const Kernels<T>* avx2_kernels();

bool cpu_has_avx2();

}  // namespace engine::cpu

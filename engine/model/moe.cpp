// SPDX-License-Identifier: Apache-2.0
// The mixture-of-experts block: router, gather by expert, experts on their own rows, sum, shared
// expert.
#include <algorithm>
#include <array>

#include "engine/model/chunk.h"
#include "engine/ops/expert_gather.h"
#include "engine/ops/expert_matmul.h"
#include "engine/ops/router.h"
#include "engine/ops/weighted_row_sum.h"

namespace engine::model {

namespace {

// Scratch of one layer. Packed rows lie by expert, ascending, each expert's by token.
template <class T>
struct MoeScratch {
    T* h;                   // [rows, hidden]
    T* logits;              // [rows, experts]
    T* choice;              // [rows, experts]
    T* weights;             // [rows, top_k]
    std::int32_t* picks;    // [rows, top_k]
    std::int32_t* slots;    // [rows, top_k]: packed row of each pick
    std::int32_t* first;    // [experts + 1]: first packed row of each expert
    T* packed_in;           // [rows * top_k, hidden]
    T* packed_wide;         // [rows * top_k, width]
    T* packed_out;          // [rows * top_k, hidden]
    T* routed;              // [rows, hidden]
    T* shared_wide;         // [rows, shared_width]
    T* shared;              // [rows, hidden]
    cpu::Matmul<T>* calls;  // [experts]
};

template <class T>
MoeScratch<T> take_scratch(const Chunk<T>& c, const MoeGeometry& moe) {
    const std::int64_t picks = c.rows * moe.top_k, hidden = c.geometry.hidden;
    Arena& arena = c.arena;
    return {.h = arena.template take<T>(c.rows * hidden),
            .logits = arena.template take<T>(c.rows * moe.experts),
            .choice = arena.template take<T>(c.rows * moe.experts),
            .weights = arena.template take<T>(picks),
            .picks = arena.template take<std::int32_t>(picks),
            .slots = arena.template take<std::int32_t>(picks),
            .first = arena.template take<std::int32_t>(moe.experts + 1),
            .packed_in = arena.template take<T>(picks * hidden),
            .packed_wide = arena.template take<T>(picks * moe.width),
            .packed_out = arena.template take<T>(picks * hidden),
            .routed = arena.template take<T>(c.rows * hidden),
            .shared_wide = arena.template take<T>(c.rows * moe.shared_width),
            .shared = arena.template take<T>(moe.shared_width > 0 ? c.rows * hidden : 0),
            .calls = arena.template take<cpu::Matmul<T>>(moe.experts)};
}

template <class T>
void route(const Chunk<T>& c,
           const MoeGeometry& moe,
           const MoeWeights& weights,
           const PackedLayer<T>& packed,
           const MoeScratch<T>& s) {
    const ops::router::Shape shape{
        .hidden = double(c.geometry.hidden),
        .experts = double(moe.experts),
        .top_k = double(moe.top_k),
        .weight_bytes = ops::stored_bytes(weights.gate) + double(weights.bias->bytes.size()),
        .element_bytes = sizeof(T)};
    const cpu::Matmul<T> scores{.weights = &weights.gate,
                                .x = s.h,
                                .x_stride = c.geometry.hidden,
                                .y = s.logits,
                                .y_stride = moe.experts,
                                .rows = c.rows,
                                .epilogue = cpu::Epilogue::none,
                                .rows_done = nullptr};
    const cpu::Routing<T> routing{.logits = s.logits,
                                  .bias = packed.router_bias.data(),
                                  .picks = s.picks,
                                  .weights = s.weights,
                                  .experts = moe.experts,
                                  .top_k = moe.top_k,
                                  .groups = moe.groups,
                                  .top_groups = moe.top_groups,
                                  .scale = T(c.faults.no_routed_scale ? 1.0 : moe.scale),
                                  .normalise = moe.normalise,
                                  .choice = s.choice};
    c.op(c.labels.router, ops::router::declaration, ops::Role::router,
         ops::router::work(shape).at(c.rows), [&] {
             cpu::matmul<T>(c.backend, std::span(&scores, 1));
             cpu::route(c.backend, routing, c.rows);
         });
}

// Counting sort of the picks by expert. Counts what was asked for.
template <class T>
void place(const Chunk<T>& c, const MoeGeometry& moe, const MoeScratch<T>& s) {
    const std::int64_t picks = c.rows * moe.top_k;
    std::fill(s.first, s.first + moe.experts + 1, 0);
    for (std::int64_t i = 0; i < picks; ++i) ++s.first[s.picks[i] + 1];
    for (std::int64_t e = 0; e < moe.experts; ++e) s.first[e + 1] += s.first[e];
    for (std::int64_t i = 0; i < picks; ++i) s.slots[i] = s.first[s.picks[i]]++;
    for (std::int64_t e = moe.experts; e > 0; --e) s.first[e] = s.first[e - 1];
    s.first[0] = 0;
    c.counters.expert_rows_asked += static_cast<std::uint64_t>(picks);
}

template <class T>
void gather(const Chunk<T>& c, const MoeGeometry& moe, const MoeScratch<T>& s) {
    const ops::expert_gather::Shape shape{.hidden = double(c.geometry.hidden),
                                          .top_k = double(moe.top_k),
                                          .element_bytes = sizeof(T)};
    c.op(c.labels.experts_gather, ops::expert_gather::declaration, ops::Role::gather,
         ops::expert_gather::work(shape).at(c.rows), [&] {
             place(c, moe, s);
             cpu::row_gather(c.backend, {s.h, s.slots, s.packed_in, c.geometry.hidden, moe.top_k},
                             c.rows);
         });
}

// One product per expert that was hit. Returns rows and experts as the products counted them.
template <class T>
Counters run_experts(const Chunk<T>& c,
                     const trace::Label& label,
                     const std::vector<MlpWeights>& experts,
                     ops::Matrix MlpWeights::*matrix,
                     const MoeScratch<T>& s,
                     const T* from,
                     T* to,
                     cpu::Epilogue epilogue) {
    std::int64_t hit = 0, rows = 0, rows_done = 0;
    for (std::size_t e = 0; e < experts.size(); ++e) {
        const ops::Matrix& weights = experts[e].*matrix;
        const std::int64_t first = s.first[e], count = s.first[e + 1] - first;
        if (count == 0) continue;
        s.calls[hit++] = {.weights = &weights,
                          .x = from + first * weights.cols,
                          .x_stride = weights.cols,
                          .y = to + first * weights.rows,
                          .y_stride = weights.rows,
                          .rows = count,
                          .epilogue = epilogue,
                          .rows_done = &rows_done};
        rows += count;
    }
    const ops::Matrix& one = experts.front().*matrix;
    const ops::expert_matmul::Shape shape{.in_features = double(one.cols),
                                          .out_features = double(one.rows),
                                          .expert_bytes = ops::stored_bytes(one),
                                          .experts_hit = double(hit),
                                          .element_bytes = sizeof(T)};
    c.op(label, ops::expert_matmul::declaration(one.format), ops::Role::expert_gemm,
         ops::expert_matmul::work(shape).at(rows), [&] {
             cpu::matmul<T>(c.backend, {s.calls, static_cast<std::size_t>(hit)});
         });
    return {.expert_rows_done = static_cast<std::uint64_t>(rows_done),
            .experts_hit = static_cast<std::uint64_t>(hit)};
}

template <class T>
void sum(const Chunk<T>& c, const MoeGeometry& moe, const MoeScratch<T>& s) {
    const ops::weighted_row_sum::Shape shape{.hidden = double(c.geometry.hidden),
                                             .top_k = double(moe.top_k),
                                             .element_bytes = sizeof(T)};
    const cpu::WeightedRowSum<T> call{s.packed_out, s.slots,           s.weights,
                                      s.routed,     c.geometry.hidden, moe.top_k};
    c.op(c.labels.experts_sum, ops::weighted_row_sum::declaration, ops::Role::gather,
         ops::weighted_row_sum::work(shape).at(c.rows),
         [&] { cpu::weighted_row_sum(c.backend, call, c.rows); });
}

}  // namespace

template <class T>
void run_moe(const Chunk<T>& c,
             const MoeGeometry& moe,
             const MoeWeights& weights,
             const PackedLayer<T>& packed) {
    const Arena::Scope scope(c.arena);
    const MoeScratch<T> s = take_scratch(c, moe);
    c.norm(packed.norm, s.h);
    route(c, moe, weights, packed, s);
    gather(c, moe, s);
    const std::vector<MlpWeights>& experts = weights.experts;
    run_experts<T>(c, c.labels.experts_up, experts, &MlpWeights::up, s, s.packed_in, s.packed_wide,
                   cpu::Epilogue::relu2);
    const Counters done = run_experts<T>(c, c.labels.experts_down, experts, &MlpWeights::down, s,
                                         s.packed_wide, s.packed_out, cpu::Epilogue::none);
    c.counters.expert_rows_done += done.expert_rows_done;
    c.counters.experts_hit += done.experts_hit;
    sum(c, moe, s);
    if (moe.shared_width == 0) return c.residual(s.routed);
    const auto role = ops::Role::shared_gemm;
    c.matmul(c.labels.shared_up, role, weights.shared.up, s.h, s.shared_wide, cpu::Epilogue::relu2);
    c.matmul(c.labels.shared_down, role, weights.shared.down, s.shared_wide, s.shared);
    c.residual(s.routed, s.shared);
}

BlockPlan plan_moe(const Geometry& geometry,
                   const MoeGeometry& moe,
                   std::int64_t rows,
                   std::uint64_t element) {
    const std::int64_t picks = rows * moe.top_k, hidden = geometry.hidden;
    const std::array activations{rows * hidden,           rows * moe.experts,
                                 rows * moe.experts,      picks,
                                 picks * hidden,          picks * moe.width,
                                 picks * hidden,          rows * hidden,
                                 rows * moe.shared_width, moe.shared_width > 0 ? rows * hidden : 0};
    const std::array indices{picks, picks, moe.experts + 1};
    const std::array calls{moe.experts};
    return {.ops = moe.shared_width > 0 ? 9u : 7u,
            .scratch_bytes = pieces_bytes(activations, element) + pieces_bytes(indices, 4) +
                             pieces_bytes(calls, sizeof(cpu::Matmul<float>))};
}

template void run_moe(const Chunk<float>&,
                      const MoeGeometry&,
                      const MoeWeights&,
                      const PackedLayer<float>&);
template void run_moe(const Chunk<double>&,
                      const MoeGeometry&,
                      const MoeWeights&,
                      const PackedLayer<double>&);

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// The mixture-of-experts block: router, into the latent width where there is one, experts, back
// from the latent width, shared expert.
#include <array>

#include "engine/model/chunk.h"
#include "engine/model/experts.h"
#include "engine/ops/router.h"

namespace engine::model {

namespace {

template <class T>
MoeScratch<T> take_scratch(const Chunk<T>& c, const MoeGeometry& moe) {
    const std::int64_t hidden = c.geometry.hidden, io = moe.expert_io(hidden);
    const std::int64_t picks = c.rows * moe.top_k, packed = packed_rows(moe, c.moe, c.rows);
    const bool gathered = c.moe == Moe::gather;
    Arena& arena = c.arena;
    return {.h = arena.template take<T>(c.rows * hidden),
            .logits = arena.template take<T>(c.rows * moe.experts),
            .choice = arena.template take<T>(c.rows * moe.experts),
            .weights = arena.template take<T>(picks),
            .picks = arena.template take<std::int32_t>(picks),
            .slots = arena.template take<std::int32_t>(picks),
            .first = arena.template take<std::int32_t>(gathered ? moe.experts + 1 : 0),
            .latent = arena.template take<T>(c.rows * moe.latent),
            .packed_in = arena.template take<T>(gathered ? packed * io : 0),
            .packed_wide = arena.template take<T>(packed * moe.width),
            .packed_out = arena.template take<T>(packed * io),
            .routed = arena.template take<T>(c.rows * io),
            .widened = arena.template take<T>(moe.latent > 0 ? c.rows * hidden : 0),
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
    c.counters.expert_rows_asked += static_cast<std::uint64_t>(c.rows * moe.top_k);
}

}  // namespace

template <class T>
void run_moe(const Chunk<T>& c,
             const MoeGeometry& moe,
             const MoeWeights& weights,
             const PackedLayer<T>& packed) {
    const Arena::Scope scope(c.arena);
    const MoeScratch<T> s = take_scratch(c, moe);
    const auto latent_role = ops::Role::latent_projection, shared_role = ops::Role::shared_gemm;
    const bool latent = moe.latent > 0;
    c.norm(packed.norm, s.h);
    route(c, moe, weights, packed, s);
    if (latent) c.matmul(c.labels.latent_in, latent_role, weights.latent_in, s.h, s.latent);
    const T* from = latent ? s.latent : s.h;
    const ExpertsDone done = run_experts(c, moe, weights.experts, s, from);
    c.counters.expert_rows_done += static_cast<std::uint64_t>(done.rows);
    c.counters.experts_hit += static_cast<std::uint64_t>(done.experts);
    if (latent) c.matmul(c.labels.latent_out, latent_role, weights.latent_out, s.routed, s.widened);
    const T* routed = latent ? s.widened : s.routed;
    if (moe.shared_width == 0) return c.residual(routed);
    c.matmul(c.labels.shared_up, shared_role, weights.shared.up, s.h, s.shared_wide,
             cpu::Epilogue::relu2);
    c.matmul(c.labels.shared_down, shared_role, weights.shared.down, s.shared_wide, s.shared);
    c.residual(routed, s.shared);
}

BlockPlan plan_moe(const Geometry& geometry,
                   const MoeGeometry& moe,
                   Moe mode,
                   std::int64_t rows,
                   std::uint64_t element) {
    const std::int64_t hidden = geometry.hidden, io = moe.expert_io(hidden);
    const std::int64_t picks = rows * moe.top_k, packed = packed_rows(moe, mode, rows);
    const bool gathered = mode == Moe::gather, latent = moe.latent > 0,
               shared = moe.shared_width > 0;
    const std::array activations{rows * hidden,
                                 rows * moe.experts,
                                 rows * moe.experts,
                                 picks,
                                 rows * moe.latent,
                                 gathered ? packed * io : 0,
                                 packed * moe.width,
                                 packed * io,
                                 rows * io,
                                 latent ? rows * hidden : 0,
                                 rows * moe.shared_width,
                                 shared ? rows * hidden : 0};
    const std::array indices{picks, picks, gathered ? moe.experts + 1 : 0};
    const std::array calls{moe.experts};
    const std::int64_t step = dense_rows(moe, rows);
    const std::int64_t stages = gathered ? 4 : 3 * ((rows + step - 1) / step);
    const std::int64_t ops = 3 + stages + (latent ? 2 : 0) + (shared ? 2 : 0);
    return {.ops = static_cast<std::uint64_t>(ops),
            .scratch_bytes = pieces_bytes(activations, element) + pieces_bytes(indices, 4) +
                             pieces_bytes(calls, sizeof(cpu::Matmul<float>)),
            .expert_rows = static_cast<std::uint64_t>(gathered ? picks : rows * moe.experts)};
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

// SPDX-License-Identifier: Apache-2.0
// The Mamba-2 block: norm, projection, convolution, scan, gate and norm, projection.
#include <algorithm>
#include <array>

#include "engine/model/chunk.h"
#include "engine/ops/causal_conv.h"
#include "engine/ops/gated_group_norm.h"
#include "engine/ops/ssd_scan.h"

namespace engine::model {

namespace {

// The last inputs, kept for the next chunk's first rows: window ++ rows, its end.
template <class T>
void keep_window(
    const MambaGeometry& m, const T* u, std::int64_t stride, std::int64_t rows, T* window) {
    const std::int64_t kept = m.conv_taps - 1, channels = m.conv_channels();
    const std::int64_t stay = std::max<std::int64_t>(0, kept - rows);
    std::copy(window + (kept - stay) * channels, window + kept * channels, window);
    for (std::int64_t i = stay; i < kept; ++i) {
        const T* from = u + (rows - kept + i) * stride;
        std::copy(from, from + channels, window + i * channels);
    }
}

template <class T>
void convolve(const Chunk<T>& c,
              const PackedLayer<T>& packed,
              MambaState<T>& state,
              const T* projected,
              T* mixed) {
    const MambaGeometry& m = c.geometry.mamba;
    const ops::causal_conv::Shape shape{.channels = double(m.conv_channels()),
                                        .taps = double(m.conv_taps),
                                        .element_bytes = sizeof(T)};
    const cpu::CausalConv<T> call{.u = projected + m.inner(),
                                  .u_stride = m.projection(),
                                  .window = state.window.data(),
                                  .weight = packed.conv_weight.data(),
                                  .bias = packed.conv_bias.data(),
                                  .y = mixed,
                                  .channels = m.conv_channels(),
                                  .taps = m.conv_taps};
    c.op(c.labels.conv, ops::causal_conv::declaration, ops::Role::conv,
         ops::causal_conv::work(shape).at(c.rows), [&] {
             cpu::causal_conv(c.backend, call, c.rows);
             if (c.faults.stale_conv_window) return;
             keep_window(m, call.u, call.u_stride, c.rows, state.window.data());
         });
}

template <class T>
void scan(const Chunk<T>& c,
          const PackedLayer<T>& packed,
          MambaState<T>& state,
          const T* projected,
          const T* mixed,
          T* y) {
    const MambaGeometry& m = c.geometry.mamba;
    const ops::ssd_scan::Shape shape{.heads = double(m.heads),
                                     .head_dim = double(m.head_dim),
                                     .groups = double(m.groups),
                                     .state = double(m.state),
                                     .element_bytes = sizeof(T)};
    const double floor = c.faults.dt_clamp ? std::max(m.dt_floor, m.time_step_min) : m.dt_floor;
    const cpu::SsdScan<T> call{.conv = mixed,
                               .conv_stride = m.conv_channels(),
                               .dt = projected + m.inner() + m.conv_channels(),
                               .dt_stride = m.projection(),
                               .dt_bias = packed.dt_bias.data(),
                               .decay = packed.decay.data(),
                               .skip = packed.skip.data(),
                               .state = state.states.data(),
                               .y = y,
                               .rows = c.rows,
                               .heads = m.heads,
                               .head_dim = m.head_dim,
                               .groups = m.groups,
                               .states = m.state,
                               .dt_floor = T(floor),
                               .dt_ceiling = T(m.dt_ceiling)};
    c.op(c.labels.scan, ops::ssd_scan::declaration, ops::Role::scan,
         ops::ssd_scan::work(shape).at(c.rows), [&] { cpu::ssd_scan(c.backend, call); });
}

template <class T>
void gate_norm(const Chunk<T>& c, const PackedLayer<T>& packed, const T* z, const T* y, T* gated) {
    const MambaGeometry& m = c.geometry.mamba;
    const ops::gated_group_norm::Shape shape{.inner = double(m.inner()),
                                             .element_bytes = sizeof(T)};
    const cpu::GatedGroupNorm<T> call{.y = y,
                                      .z = z,
                                      .z_stride = m.projection(),
                                      .weight = packed.gate_norm.data(),
                                      .out = gated,
                                      .inner = m.inner(),
                                      .groups = m.groups,
                                      .epsilon = T(c.geometry.epsilon),
                                      .norm_before_gate = c.faults.norm_before_gate};
    c.op(c.labels.gate_norm, ops::gated_group_norm::declaration, ops::Role::norm,
         ops::gated_group_norm::work(shape).at(c.rows),
         [&] { cpu::gated_group_norm(c.backend, call, c.rows); });
}

}  // namespace

template <class T>
void run_mamba(const Chunk<T>& c,
               const MambaWeights& weights,
               const PackedLayer<T>& packed,
               MambaState<T>& state) {
    const MambaGeometry& m = c.geometry.mamba;
    const Arena::Scope scope(c.arena);
    T* h = c.arena.template take<T>(c.rows * c.geometry.hidden);       // [rows, hidden]
    T* projected = c.arena.template take<T>(c.rows * m.projection());  // z | x | B | C | dt
    T* mixed = c.arena.template take<T>(c.rows * m.conv_channels());   // x | B | C
    T* y = c.arena.template take<T>(c.rows * m.inner());
    T* gated = c.arena.template take<T>(c.rows * m.inner());
    c.norm(packed.norm, h);
    c.matmul(c.labels.in_proj, ops::Role::mamba_projection, weights.in_proj, h, projected);
    convolve(c, packed, state, projected, mixed);
    scan(c, packed, state, projected, mixed, y);
    gate_norm(c, packed, projected, y, gated);
    c.matmul(c.labels.out_proj, ops::Role::mamba_projection, weights.out_proj, gated, h);
    c.residual(h);
}

BlockPlan plan_mamba(const Geometry& geometry, std::int64_t rows, std::uint64_t element) {
    const MambaGeometry& m = geometry.mamba;
    const std::array counts{rows * geometry.hidden, rows * m.projection(), rows * m.conv_channels(),
                            rows * m.inner(), rows * m.inner()};
    return {.ops = 7, .scratch_bytes = pieces_bytes(counts, element)};
}

template void run_mamba(const Chunk<float>&,
                        const MambaWeights&,
                        const PackedLayer<float>&,
                        MambaState<float>&);
template void run_mamba(const Chunk<double>&,
                        const MambaWeights&,
                        const PackedLayer<double>&,
                        MambaState<double>&);

}  // namespace engine::model

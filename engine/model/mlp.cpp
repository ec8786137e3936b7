// SPDX-License-Identifier: Apache-2.0
// The dense block: norm, up, squared ReLU, down.
#include <array>

#include "engine/model/chunk.h"

namespace engine::model {

template <class T>
void run_mlp(const Chunk<T>& c, const MlpWeights& weights, const PackedLayer<T>& packed) {
    const Arena::Scope scope(c.arena);
    T* h = c.arena.template take<T>(c.rows * c.geometry.hidden);
    T* wide = c.arena.template take<T>(c.rows * weights.up.rows);
    c.norm(packed.norm, h);
    c.matmul(c.labels.up, ops::Role::mlp_gemm, weights.up, h, wide, cpu::Epilogue::relu2);
    c.matmul(c.labels.down, ops::Role::mlp_gemm, weights.down, wide, h);
    c.residual(h);
}

BlockPlan plan_mlp(const Geometry& geometry,
                   std::int64_t width,
                   std::int64_t rows,
                   std::uint64_t element) {
    const std::array counts{rows * geometry.hidden, rows * width};
    return {.ops = 4, .scratch_bytes = pieces_bytes(counts, element)};
}

template void run_mlp(const Chunk<float>&, const MlpWeights&, const PackedLayer<float>&);
template void run_mlp(const Chunk<double>&, const MlpWeights&, const PackedLayer<double>&);

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// Gathers rows by expert, or not; runs the experts; sums each row's picks in pick order.
#include "engine/model/experts.h"

#include <algorithm>

#include "engine/ops/expert_gather.h"
#include "engine/ops/expert_matmul.h"
#include "engine/ops/weighted_row_sum.h"

namespace engine::model {

namespace {

// Outputs of experts that a dense chunk keeps at once: bounds its scratch.
constexpr std::int64_t dense_outputs = 16384;

// Counting sort of the picks by expert.
template <class T>
void place(const Chunk<T>& c, const MoeGeometry& moe, const MoeScratch<T>& s) {
    const std::int64_t picks = c.rows * moe.top_k;
    std::fill(s.first, s.first + moe.experts + 1, 0);
    for (std::int64_t i = 0; i < picks; ++i) ++s.first[s.picks[i] + 1];
    for (std::int64_t e = 0; e < moe.experts; ++e) s.first[e + 1] += s.first[e];
    for (std::int64_t i = 0; i < picks; ++i) s.slots[i] = s.first[s.picks[i]]++;
    for (std::int64_t e = moe.experts; e > 0; --e) s.first[e] = s.first[e - 1];
    s.first[0] = 0;
}

template <class T>
void gather(const Chunk<T>& c, const MoeGeometry& moe, const MoeScratch<T>& s, const T* from) {
    const std::int64_t io = moe.expert_io(c.geometry.hidden);
    const ops::expert_gather::Shape shape{
        .hidden = double(io), .top_k = double(moe.top_k), .element_bytes = sizeof(T)};
    c.op(c.labels.experts_gather, ops::expert_gather::declaration, ops::Role::gather,
         ops::expert_gather::work(shape).at(c.rows), [&] {
             place(c, moe, s);
             cpu::row_gather(c.backend, {from, s.slots, s.packed_in, io, moe.top_k}, c.rows);
         });
}

// Rows of an expert's input and output.
template <class T>
struct ExpertRows {
    const T* from;
    T* to;
    std::int64_t count;
};

// One product for each expert that has rows; rows_of(expert, matrix) says which.
template <class T, class RowsOf>
ExpertsDone run_stage(const Chunk<T>& c,
                      const trace::Label& label,
                      const std::vector<MlpWeights>& experts,
                      ops::Matrix MlpWeights::*matrix,
                      cpu::Matmul<T>* calls,
                      const RowsOf& rows_of) {
    const bool up = matrix == &MlpWeights::up;
    std::int64_t rows = 0;
    ExpertsDone done;
    for (std::size_t e = 0; e < experts.size(); ++e) {
        const ops::Matrix& weights = experts[e].*matrix;
        const ExpertRows<T> own = rows_of(static_cast<std::int64_t>(e), weights);
        if (own.count == 0) continue;
        calls[done.experts++] = {.weights = &weights,
                                 .x = own.from,
                                 .x_stride = weights.cols,
                                 .y = own.to,
                                 .y_stride = weights.rows,
                                 .rows = own.count,
                                 .epilogue = up ? cpu::Epilogue::relu2 : cpu::Epilogue::none,
                                 .rows_done = &done.rows};
        rows += own.count;
    }
    const ops::Matrix& one = experts.front().*matrix;
    const ops::expert_matmul::Shape shape{.in_features = double(one.cols),
                                          .out_features = double(one.rows),
                                          .expert_bytes = ops::stored_bytes(one),
                                          .experts_hit = double(done.experts),
                                          .element_bytes = sizeof(T)};
    c.op(label, ops::expert_matmul::declaration(one.format), ops::Role::expert_gemm,
         ops::expert_matmul::work(shape).at(rows), [&] {
             cpu::matmul<T>(c.backend, {calls, static_cast<std::size_t>(done.experts)});
         });
    return done;
}

template <class T>
void sum(const Chunk<T>& c,
         const MoeGeometry& moe,
         const MoeScratch<T>& s,
         std::int64_t first,
         std::int64_t rows) {
    const std::int64_t io = moe.expert_io(c.geometry.hidden);
    const ops::weighted_row_sum::Shape shape{
        .hidden = double(io), .top_k = double(moe.top_k), .element_bytes = sizeof(T)};
    const cpu::WeightedRowSum<T> call{.packed = s.packed_out,
                                      .packed_rows = packed_rows(moe, c.moe, rows),
                                      .slots = s.slots + first * moe.top_k,
                                      .weights = s.weights + first * moe.top_k,
                                      .out = s.routed + first * io,
                                      .width = io,
                                      .top_k = moe.top_k};
    c.op(c.labels.experts_sum, ops::weighted_row_sum::declaration, ops::Role::gather,
         ops::weighted_row_sum::work(shape).at(rows),
         [&] { cpu::weighted_row_sum(c.backend, call, rows); });
}

template <class T>
ExpertsDone run_gathered(const Chunk<T>& c,
                         const MoeGeometry& moe,
                         const std::vector<MlpWeights>& experts,
                         const MoeScratch<T>& s,
                         const T* from) {
    gather(c, moe, s, from);
    const auto rows_of = [&](const T* x, T* y) {
        return [&s, x, y](std::int64_t e, const ops::Matrix& weights) {
            const std::int64_t first = s.first[e];
            return ExpertRows<T>{x + first * weights.cols, y + first * weights.rows,
                                 s.first[e + 1] - first};
        };
    };
    run_stage<T>(c, c.labels.experts_up, experts, &MlpWeights::up, s.calls,
                 rows_of(s.packed_in, s.packed_wide));
    const ExpertsDone done = run_stage<T>(c, c.labels.experts_down, experts, &MlpWeights::down,
                                          s.calls, rows_of(s.packed_wide, s.packed_out));
    sum(c, moe, s, 0, c.rows);
    return done;
}

// Rows [first, first + rows) through every expert: expert e's output of row t is packed row
// e * rows + t - first.
template <class T>
ExpertsDone run_dense_rows(const Chunk<T>& c,
                           const MoeGeometry& moe,
                           const std::vector<MlpWeights>& experts,
                           const MoeScratch<T>& s,
                           const T* from,
                           std::int64_t first,
                           std::int64_t rows) {
    for (std::int64_t i = first * moe.top_k; i < (first + rows) * moe.top_k; ++i) {
        s.slots[i] = static_cast<std::int32_t>(s.picks[i] * rows + i / moe.top_k - first);
    }
    run_stage<T>(c, c.labels.experts_up, experts, &MlpWeights::up, s.calls,
                 [&](std::int64_t e, const ops::Matrix& weights) {
                     return ExpertRows<T>{from + first * weights.cols,
                                          s.packed_wide + e * rows * weights.rows, rows};
                 });
    const ExpertsDone done =
        run_stage<T>(c, c.labels.experts_down, experts, &MlpWeights::down, s.calls,
                     [&](std::int64_t e, const ops::Matrix& weights) {
                         return ExpertRows<T>{s.packed_wide + e * rows * weights.cols,
                                              s.packed_out + e * rows * weights.rows, rows};
                     });
    sum(c, moe, s, first, rows);
    return done;
}

template <class T>
ExpertsDone run_dense(const Chunk<T>& c,
                      const MoeGeometry& moe,
                      const std::vector<MlpWeights>& experts,
                      const MoeScratch<T>& s,
                      const T* from) {
    const std::int64_t step = dense_rows(moe, c.rows);
    ExpertsDone all;
    for (std::int64_t first = 0; first < c.rows; first += step) {
        const ExpertsDone done =
            run_dense_rows(c, moe, experts, s, from, first, std::min(step, c.rows - first));
        all = {all.rows + done.rows, std::max(all.experts, done.experts)};
    }
    return all;
}

}  // namespace

std::int64_t dense_rows(const MoeGeometry& moe, std::int64_t rows) {
    return std::min(rows, std::max<std::int64_t>(1, dense_outputs / moe.experts));
}

std::int64_t packed_rows(const MoeGeometry& moe, Moe mode, std::int64_t rows) {
    return mode == Moe::dense ? dense_rows(moe, rows) * moe.experts : rows * moe.top_k;
}

template <class T>
ExpertsDone run_experts(const Chunk<T>& c,
                        const MoeGeometry& moe,
                        const std::vector<MlpWeights>& experts,
                        const MoeScratch<T>& s,
                        const T* from) {
    return c.moe == Moe::dense ? run_dense(c, moe, experts, s, from)
                               : run_gathered(c, moe, experts, s, from);
}

template ExpertsDone run_experts(const Chunk<float>&,
                                 const MoeGeometry&,
                                 const std::vector<MlpWeights>&,
                                 const MoeScratch<float>&,
                                 const float*);
template ExpertsDone run_experts(const Chunk<double>&,
                                 const MoeGeometry&,
                                 const std::vector<MlpWeights>&,
                                 const MoeScratch<double>&,
                                 const double*);

}  // namespace engine::model

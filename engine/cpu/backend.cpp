// SPDX-License-Identifier: Apache-2.0
// Splits row-wise ops, products and the scan into tasks, and picks the instruction set.
#include "engine/cpu/backend.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace engine::cpu {

namespace {

constexpr Index small_work = 1 << 15;  // element operations that are not worth waking a thread
constexpr Index matmul_rows_per_task = 128;
constexpr Index panel_elements = 4608;  // widened weights that stay in the first-level cache

// Outputs that one task computes: whole tiles of 3, at least one tile.
Index panel_outputs(Index in_features) {
    return std::clamp<Index>(panel_elements / in_features / 3, 1, 16) * 3;
}

Index divide_up(Index a, Index b) {
    return (a + b - 1) / b;
}

// body(Range of rows) over tasks of about small_work operations.
template <class T, class Body>
void over_rows(const Backend<T>& backend, Index rows, Index work_per_row, const Body& body) {
    const Index threads = backend.pool->threads();
    if (rows * work_per_row <= small_work || threads == 1) return body(Range{0, rows});
    const Index step = std::max<Index>(1, small_work / 2 / work_per_row);
    backend.pool->run(divide_up(rows, step), [&](Index task, int) {
        body(Range{task * step, std::min(rows, (task + 1) * step)});
    });
}

template <class T>
struct MatmulTasks {
    std::span<const Matmul<T>> batch;

    static Index outputs(const Matmul<T>& op) {
        return divide_up(op.weights->rows, panel_outputs(op.weights->cols));
    }

    static Index count(const Matmul<T>& op) {
        return outputs(op) * divide_up(op.rows, matmul_rows_per_task);
    }

    Index count() const {
        Index sum = 0;
        for (const Matmul<T>& op : batch) sum += count(op);
        return sum;
    }

    void run(const Kernels<T>& kernels, Index task, T* panel) const {
        const Matmul<T>* op = batch.data();
        for (; task >= count(*op); ++op) task -= count(*op);
        const Index n = task % outputs(*op), m = task / outputs(*op);
        const Index step = panel_outputs(op->weights->cols);
        const Range rows{m * matmul_rows_per_task,
                         std::min(op->rows, (m + 1) * matmul_rows_per_task)};
        kernels.matmul(*op, {n * step, std::min(op->weights->rows, (n + 1) * step)}, rows, panel);
        if (op->rows_done == nullptr || n != 0) return;
        std::atomic_ref(*op->rows_done).fetch_add(rows.end - rows.begin, std::memory_order_relaxed);
    }
};

}  // namespace

template <class T>
const Kernels<T>& choose_kernels(Set set) {
    const Kernels<T>* avx2 = cpu_has_avx2() ? avx2_kernels<T>() : nullptr;
    if (set == Set::avx2 && avx2 == nullptr) {
        throw std::invalid_argument("isa avx2: this machine or this build has none; use baseline");
    }
    return set == Set::baseline || avx2 == nullptr ? baseline_kernels<T>() : *avx2;
}

std::string_view chosen_set(Set set) {
    return &choose_kernels<float>(set) == &baseline_kernels<float>() ? "baseline" : "avx2";
}

Index matmul_scratch(Index in_features) {
    return panel_outputs(in_features) * in_features;
}

Index padded_dim(Index head_dim) {
    return divide_up(head_dim, 16) * 16;
}

template <class T>
void matmul(const Backend<T>& backend, std::span<const Matmul<T>> batch) {
    const MatmulTasks<T> tasks{batch};
    Index work = 0;
    for (const Matmul<T>& op : batch) work += op.rows * op.weights->rows * op.weights->cols;
    const Index count = tasks.count();
    if (work <= small_work) {
        for (Index task = 0; task < count; ++task)
            tasks.run(*backend.kernels, task, backend.scratch);
        return;
    }
    backend.pool->run(count, [&](Index task, int thread) {
        tasks.run(*backend.kernels, task, backend.scratch + thread * backend.thread_scratch);
    });
}

template <class T>
void embedding(const Backend<T>& backend, const Embedding<T>& op, Index rows) {
    over_rows(backend, rows, op.table->cols, [&](Range r) { backend.kernels->embedding(op, r); });
}

template <class T>
void rms_norm(const Backend<T>& backend, const RmsNorm<T>& op, Index rows) {
    over_rows(backend, rows, op.width, [&](Range r) { backend.kernels->rms_norm(op, r); });
}

template <class T>
void causal_conv(const Backend<T>& backend, const CausalConv<T>& op, Index rows) {
    const Index work = op.channels * (op.taps + 4);
    over_rows(backend, rows, work, [&](Range r) { backend.kernels->causal_conv(op, r); });
}

template <class T>
void ssd_scan(const Backend<T>& backend, const SsdScan<T>& op) {
    const Index tasks = op.heads * divide_up(op.head_dim, scan_lanes);
    if (op.rows * tasks * op.states * scan_lanes <= small_work) {
        return backend.kernels->ssd_scan(op, {0, tasks});
    }
    // A step is short: give a thread several blocks at a time.
    const Index step = op.rows > 4 ? 1 : std::max<Index>(1, tasks / backend.pool->threads() / 2);
    backend.pool->run(divide_up(tasks, step), [&](Index task, int) {
        backend.kernels->ssd_scan(op, {task * step, std::min(tasks, (task + 1) * step)});
    });
}

template <class T>
void gated_group_norm(const Backend<T>& backend, const GatedGroupNorm<T>& op, Index rows) {
    over_rows(backend, rows, op.inner * 6,
              [&](Range r) { backend.kernels->gated_group_norm(op, r); });
}

template <class T>
void kv_write(const Backend<T>& backend, const KvWrite<T>& op, Index rows) {
    const Index work = 2 * op.kv_heads * op.cache.head_dim;
    over_rows(backend, rows, work, [&](Range r) { backend.kernels->kv_write(op, r); });
}

template <class T>
void route(const Backend<T>& backend, const Routing<T>& op, Index rows) {
    over_rows(backend, rows, op.experts * (op.top_k + 4),
              [&](Range r) { backend.kernels->route(op, r); });
}

template <class T>
void row_gather(const Backend<T>& backend, const RowGather<T>& op, Index rows) {
    over_rows(backend, rows, op.width * op.top_k,
              [&](Range r) { backend.kernels->row_gather(op, r); });
}

template <class T>
void weighted_row_sum(const Backend<T>& backend, const WeightedRowSum<T>& op, Index rows) {
    check(op, rows);
    over_rows(backend, rows, op.width * (op.top_k + 1),
              [&](Range r) { backend.kernels->weighted_row_sum(op, r); });
}

template <class T>
void residual_add(const Backend<T>& backend, const ResidualAdd<T>& op, Index count) {
    over_rows(backend, count, 1, [&](Range r) { backend.kernels->residual_add(op, r); });
}

#define TARE_INSTANTIATE(T)                                                             \
    template const Kernels<T>& choose_kernels<T>(Set);                                  \
    template void matmul(const Backend<T>&, std::span<const Matmul<T>>);                \
    template void embedding(const Backend<T>&, const Embedding<T>&, Index);             \
    template void rms_norm(const Backend<T>&, const RmsNorm<T>&, Index);                \
    template void causal_conv(const Backend<T>&, const CausalConv<T>&, Index);          \
    template void ssd_scan(const Backend<T>&, const SsdScan<T>&);                       \
    template void gated_group_norm(const Backend<T>&, const GatedGroupNorm<T>&, Index); \
    template void kv_write(const Backend<T>&, const KvWrite<T>&, Index);                \
    template void route(const Backend<T>&, const Routing<T>&, Index);                   \
    template void row_gather(const Backend<T>&, const RowGather<T>&, Index);            \
    template void weighted_row_sum(const Backend<T>&, const WeightedRowSum<T>&, Index); \
    template void residual_add(const Backend<T>&, const ResidualAdd<T>&, Index)
TARE_INSTANTIATE(float);
TARE_INSTANTIATE(double);
#undef TARE_INSTANTIATE

}  // namespace engine::cpu

// SPDX-License-Identifier: Apache-2.0
// What row-wise ops refuse before they touch anything.
#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "engine/cpu/backend.h"
#include "engine/cpu/row_slice.h"

namespace engine::cpu {

namespace {

template <class A, class B>
bool overlap(const A* a, Index a_count, const B* b, Index b_count) {
    const auto begin = [](const auto* p) { return reinterpret_cast<std::uintptr_t>(p); };
    const auto end = [](const auto* p, Index count) {
        return reinterpret_cast<std::uintptr_t>(p + count);
    };
    if (a_count == 0 || b_count == 0) return false;
    return begin(a) < end(b, b_count) && begin(b) < end(a, a_count);
}

[[noreturn]] void fail_overlap(const char* what) {
    throw std::invalid_argument(fmt::format(
        "weighted_row_sum: the destination overlaps the {}; give it memory of its own", what));
}

}  // namespace

void fail_slice(std::int64_t first, std::int64_t rows, std::int64_t there) {
    throw std::out_of_range(
        fmt::format("row_slice: {} rows from row {} asked, {} rows there", rows, first, there));
}

template <class T>
void check(const WeightedRowSum<T>& op, Index rows) {
    const Index sums = rows * op.top_k, written = rows * op.width;
    if (overlap(op.out, written, op.packed, op.packed_rows * op.width)) fail_overlap("source");
    if (overlap(op.out, written, op.weights, sums)) fail_overlap("weights");
    if (overlap(op.out, written, op.slots, sums)) fail_overlap("row indices");
    for (Index i = 0; i < sums; ++i) {
        if (op.slots[i] >= 0 && op.slots[i] < op.packed_rows) continue;
        throw std::out_of_range(
            fmt::format("weighted_row_sum: row index [{}, {}] is {}, the source has {} rows",
                        i / op.top_k, i % op.top_k, op.slots[i], op.packed_rows));
    }
}

template void check(const WeightedRowSum<float>&, Index);
template void check(const WeightedRowSum<double>&, Index);

}  // namespace engine::cpu

// SPDX-License-Identifier: Apache-2.0
// Attention's two ways to share work between threads; a row's sums are the same in both.
#include <algorithm>

#include "engine/cpu/backend.h"

namespace engine::cpu {

namespace {

constexpr Index tile_pairs = 48;  // (row, head of the group) pairs that share loads of keys

Index divide_up(Index a, Index b) {
    return (a + b - 1) / b;
}

Index tile_rows(Index group) {
    return std::max<Index>(1, tile_pairs / group);
}

// Pairs that share a task, at most.
Index most_pairs(Index group) {
    return std::max(tile_rows(group), attention_tile_rows) * group;
}

// Hands out pieces of a buffer.
template <class T>
struct Pieces {
    T* next;

    T* take(Index count) {
        T* piece = next;
        next += count;
        return piece;
    }

    Partial<T> partial(Index pairs, Index padded) {
        return {.acc = take(pairs * padded), .peak = take(pairs), .weight = take(pairs)};
    }
};

Index partial_elements(Index pairs, Index padded) {
    return pairs * (padded + 2);
}

// Many rows: a task owns a tile of rows and goes through their keys, segment by segment.
template <class T>
void attention_tiles(const Backend<T>& backend, const Attention<T>& op, Index rows) {
    const Index group = op.heads / op.kv_heads, step = tile_rows(group),
                tiles = divide_up(rows, step);
    const Index padded = op.cache.padded;
    backend.pool->run(tiles * op.kv_heads, [&](Index task, int thread) {
        // The last rows have the most keys: begin with them, so that threads end together.
        const Index tile = tiles - 1 - task / op.kv_heads, kv_head = task % op.kv_heads;
        const Range r{tile * step, std::min(rows, (tile + 1) * step)};
        const Index pairs = (r.end - r.begin) * group;
        Pieces<T> pieces{backend.scratch + thread * backend.thread_scratch};
        const Partial<T> sum = pieces.partial(pairs, padded), part = pieces.partial(pairs, padded);
        T* queries = pieces.take(pairs * op.cache.head_dim);
        T* scores = pieces.take(pairs * key_block);
        const Index last = (op.position + r.end - 1) / segment_keys;
        for (Index segment = 0; segment <= last; ++segment) {
            backend.kernels->attention_segment(op, kv_head, r, segment, segment == 0 ? sum : part,
                                               queries, scores);
            if (segment > 0) backend.kernels->attention_merge(pairs, padded, sum, part);
        }
        backend.kernels->attention_finish(op, kv_head, r, sum);
    });
}

// Few rows: a task owns one segment of keys; the partial sums are merged in order afterwards.
template <class T>
void attention_split(const Backend<T>& backend, const Attention<T>& op, Index rows, T* partials) {
    const Index pairs = rows * (op.heads / op.kv_heads), padded = op.cache.padded;
    const Index segments = (op.position + rows - 1) / segment_keys + 1;
    const auto partial = [&](Index kv_head, Index segment) {
        const Index at = (kv_head * segments + segment) * partial_elements(pairs, padded);
        return Pieces<T>{partials + at}.partial(pairs, padded);
    };
    backend.pool->run(segments * op.kv_heads, [&](Index task, int thread) {
        Pieces<T> pieces{backend.scratch + thread * backend.thread_scratch};
        T* queries = pieces.take(pairs * op.cache.head_dim);
        T* scores = pieces.take(pairs * key_block);
        const Index kv_head = task % op.kv_heads, segment = task / op.kv_heads;
        backend.kernels->attention_segment(op, kv_head, {0, rows}, segment,
                                           partial(kv_head, segment), queries, scores);
    });
    for (Index kv_head = 0; kv_head < op.kv_heads; ++kv_head) {
        const Partial<T> sum = partial(kv_head, 0);
        for (Index segment = 1; segment < segments; ++segment) {
            backend.kernels->attention_merge(pairs, padded, sum, partial(kv_head, segment));
        }
        backend.kernels->attention_finish(op, kv_head, {0, rows}, sum);
    }
}

}  // namespace

Index attention_scratch(Index head_dim, Index group) {
    const Index pairs = most_pairs(group);
    return 2 * partial_elements(pairs, padded_dim(head_dim)) + pairs * (head_dim + key_block);
}

Index attention_partials(Index heads, Index head_dim, Index capacity) {
    const Index segments = divide_up(capacity, segment_keys);
    return segments * partial_elements((attention_tile_rows - 1) * heads, padded_dim(head_dim));
}

template <class T>
void attention(const Backend<T>& backend, const Attention<T>& op, Index rows, T* partials) {
    if (rows < attention_tile_rows)
        attention_split(backend, op, rows, partials);
    else
        attention_tiles(backend, op, rows);
}

template void attention(const Backend<float>&, const Attention<float>&, Index, float*);
template void attention(const Backend<double>&, const Attention<double>&, Index, double*);

}  // namespace engine::cpu

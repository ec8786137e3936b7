// SPDX-License-Identifier: Apache-2.0
// Copy bandwidth and a float32 matrix product, as fast as this machine goes.
//
// The product follows Goto and van de Geijn, "Anatomy of high-performance matrix multiplication"
// (2008): a packed panel of B stays in the second-level cache, the tile of C in registers.
#include "engine/cpu/roof.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace engine::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t depth = 256;          // k of a packed panel
constexpr std::int64_t panel_columns = 192;  // of B: depth * 192 * 4 bytes = 192 KiB
constexpr std::int64_t panel_rows = 144;     // of A, a multiple of every tile's rows
constexpr auto time_limit = std::chrono::milliseconds(200);  // for each roof

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Runs body(thread) on all threads at once and returns the seconds until the last has ended.
template <class Body>
double on_all_threads(int threads, const Body& body) {
    const auto begin = Clock::now();
    std::vector<std::jthread> others;  // joined also when one more is refused
    for (int i = 1; i < threads; ++i) {
        others.emplace_back([&body, i] { body(i); });
    }
    body(0);
    for (auto& other : others) {
        other.join();
    }
    return seconds_since(begin);
}

// Lowest of at least three runs, going on until the time limit.
template <class Run>
double best_seconds(const Run& run) {
    const auto begin = Clock::now();
    auto best = run();
    for (int i = 1; i < 3 || Clock::now() - begin < time_limit; ++i) {
        best = std::min(best, run());
    }
    return best;
}

// C tile [rows, vectors * lanes] += A panel [depth, rows] * B panel [depth, vectors * lanes].
// Always inlined: each caller compiles it for its own instruction set.
template <int lanes, int rows, int vectors>
[[gnu::always_inline]] inline void tile(const float* a, const float* b, float* c) {
    using Vector [[gnu::vector_size(lanes * sizeof(float))]] = float;
    Vector sum[rows][vectors] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        Vector right[vectors];
        for (int v = 0; v < vectors; ++v) {
            std::memcpy(&right[v], b + (k * vectors + v) * lanes, sizeof(Vector));
        }
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                sum[r][v] += a[k * rows + r] * right[v];
            }
        }
    }
    std::memcpy(c, sum, sizeof sum);
}

// Every tile of a packed block of A against a packed panel of B. c: one tile, written over.
template <int lanes, int rows, int vectors>
[[gnu::always_inline]] inline void block(const float* a, const float* b, float* c) {
    constexpr auto columns = vectors * lanes;
    for (std::int64_t j = 0; j < panel_columns; j += columns) {
        for (std::int64_t i = 0; i < panel_rows; i += rows) {
            tile<lanes, rows, vectors>(a + i * depth, b + j * depth, c);
        }
    }
}

using Block = void (*)(const float* a, const float* b, float* c);

[[gnu::target("avx512f")]] void block_avx512(const float* a, const float* b, float* c) {
    block<16, 12, 2>(a, b, c);
}

[[gnu::target("avx2,fma")]] void block_avx2(const float* a, const float* b, float* c) {
    block<8, 6, 2>(a, b, c);
}

void block_baseline(const float* a, const float* b, float* c) {
    block<4, 6, 2>(a, b, c);
}

Block choose_block() {
    if (__builtin_cpu_supports("avx512f")) {
        return block_avx512;
    }
    const auto avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return avx2 ? block_avx2 : block_baseline;
}

struct Panels {
    alignas(64) float a[panel_rows * depth];
    alignas(64) float b[panel_columns * depth];
    alignas(64) float c[1024];

    Panels() {
        std::fill(std::begin(a), std::end(a), 0.5F);
        std::fill(std::begin(b), std::end(b), 0.25F);
    }
};

}  // namespace

int roof_threads(int threads) {
    return threads > 0 ? threads
                       : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string_view gemm_instructions() {
    const auto chosen = choose_block();
    return chosen == block_avx512 ? "AVX-512" : chosen == block_avx2 ? "AVX2 and FMA" : "baseline";
}

std::uint64_t copy_buffer_bytes() {
    constexpr std::int64_t least = 64 << 20, most = 256 << 20;
    const auto cache = std::int64_t{sysconf(_SC_LEVEL3_CACHE_SIZE)};  // 0 or -1: not known
    return static_cast<std::uint64_t>(std::clamp(2 * cache, least, most));
}

double measure_copy_bytes_per_s(int threads) {
    const auto bytes = copy_buffer_bytes();
    const auto from = std::make_unique<char[]>(bytes), to = std::make_unique<char[]>(bytes);
    std::memset(to.get(), 1, bytes);  // its pages exist before the first measured copy
    // A slice takes a few ms, so others seldom interrupt it; the buffers go round slice by slice,
    // so that none of it is still in a cache when its turn comes again.
    constexpr std::uint64_t slice = 16 << 20;
    const auto share = slice / static_cast<std::uint64_t>(threads);
    std::uint64_t at = 0;
    const auto seconds = best_seconds([&] {
        at = at + 2 * slice <= bytes ? at + slice : 0;
        return on_all_threads(threads, [&](int thread) {
            const auto begin = at + share * static_cast<std::uint64_t>(thread);
            std::memcpy(to.get() + begin, from.get() + begin, share);
        });
    });
    return 2.0 * static_cast<double>(share) * threads / seconds;
}

double measure_flops_per_s(int threads) {
    constexpr auto repeats =
        8;  // a few ms: starting threads counts little, others seldom interrupt
    constexpr auto flops = 2.0 * panel_rows * panel_columns * depth * repeats;
    const auto run_block = choose_block();
    std::vector<std::unique_ptr<Panels>> panels(static_cast<std::size_t>(threads));
    for (auto& own : panels) {
        own = std::make_unique<Panels>();
    }
    const auto seconds = best_seconds([&] {
        return on_all_threads(threads, [&](int thread) {
            auto& own = *panels[static_cast<std::size_t>(thread)];
            for (int i = 0; i < repeats; ++i) {
                run_block(own.a, own.b, own.c);
            }
        });
    });
    return flops * threads / seconds;
}

Roof measure_roof(int threads) {
    Roof roof;
    roof.threads = roof_threads(threads);
    roof.copy_bytes_per_s = measure_copy_bytes_per_s(roof.threads);
    roof.flops_per_s = measure_flops_per_s(roof.threads);
    roof.how = "copy of " + std::to_string(copy_buffer_bytes() >> 20) +
               " MiB in slices, read plus written; float32 product of packed panels " +
               std::to_string(panel_rows) + "x" + std::to_string(panel_columns) + "x" +
               std::to_string(depth) + ", " + std::string(gemm_instructions()) + "; " +
               std::to_string(roof.threads) + " threads, best of several";
    return roof;
}

}  // namespace engine::cpu

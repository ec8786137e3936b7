// SPDX-License-Identifier: Apache-2.0
// What this machine can do at best: the roofs that shares are given of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace engine::cpu {

struct Roof {
    double copy_bytes_per_s = 0;  // bytes read plus bytes written
    double flops_per_s = 0;       // float32 multiply and add counted as two
    int threads = 0;
    std::string how;  // one sentence: sizes, instruction set, what was taken of several
};

// Best of several copies between buffers well over the last-level cache, all threads at once.
double measure_copy_bytes_per_s(int threads);

// Best of several float32 matrix products, packed and register-blocked, with the widest
// instructions the machine has. Repeats give no equal bytes: it is a roof, not an op.
double measure_flops_per_s(int threads);

// Both, in about half a second. threads: 0 is one per core.
Roof measure_roof(int threads);

std::uint64_t copy_buffer_bytes();     // of each of the two buffers
std::string_view gemm_instructions();  // "AVX-512", "AVX2 and FMA", "baseline"
int roof_threads(int threads);         // 0 becomes one per core

}  // namespace engine::cpu

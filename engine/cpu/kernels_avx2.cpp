// SPDX-License-Identifier: Apache-2.0
// The kernels compiled for AVX2 (engine/CMakeLists.txt sets the flag).
//
// Nothing here may call an inline function of another header: the linker keeps one copy of such a
// function, and code for AVX2 would leak into the baseline.
#if defined(__AVX2__)
#include <immintrin.h>  // intrinsics are always inlined: they leak nothing
#endif

#include "engine/cpu/kernels.h"

namespace engine::cpu {

#if defined(__AVX2__)
namespace avx2 {

// Each file needs the ones above it.
// clang-format off
#include "engine/cpu/kernels/simd.inc"
#include "engine/cpu/kernels/math.inc"
#include "engine/cpu/kernels/widen.inc"
#include "engine/cpu/kernels/matmul.inc"
#include "engine/cpu/kernels/rows.inc"
#include "engine/cpu/kernels/mamba.inc"
#include "engine/cpu/kernels/attention.inc"
#include "engine/cpu/kernels/router.inc"
#include "engine/cpu/kernels/table.inc"
// clang-format on

}  // namespace avx2

template <class T>
const Kernels<T>* avx2_kernels() {
    return &avx2::table<T>;
}

bool cpu_has_avx2() {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
template <class T>
const Kernels<T>* avx2_kernels() {
    return nullptr;
}

bool cpu_has_avx2() {
    return false;
}
#endif

template const Kernels<float>* avx2_kernels();
template const Kernels<double>* avx2_kernels();

}  // namespace engine::cpu

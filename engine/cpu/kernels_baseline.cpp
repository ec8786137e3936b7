// SPDX-License-Identifier: Apache-2.0
// The kernels compiled for the least instruction set that the compiler targets.
//
// Nothing here may call an inline function of another header: the linker keeps one copy of such a
// function, and code for AVX2 would leak into the baseline.
#include "engine/cpu/kernels.h"

namespace engine::cpu {

namespace baseline {

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

}  // namespace baseline

template <class T>
const Kernels<T>& baseline_kernels() {
    return baseline::table<T>;
}

template const Kernels<float>& baseline_kernels();
template const Kernels<double>& baseline_kernels();

}  // namespace engine::cpu

// SPDX-License-Identifier: Apache-2.0
// The one declaration every op has: what it is called, what it does for a living, what it costs.
#pragma once

#include <cstdint>
#include <string_view>

namespace engine::ops {

// The job an op does. Stable when ops and kernels are renamed; NVTX category of the op's range.
enum class Role : std::uint8_t {
    embedding,
    norm,
    mamba_projection,
    conv,
    scan,
    attention_projection,
    attention,
    router,
    expert_gemm,
    shared_gemm,
    mlp_gemm,
    gather,
    lm_head,
    sample,
    elementwise,
    latent_projection,  // into and out of the width that latent experts work in
};

inline constexpr Role last_role = Role::latent_projection;

std::string_view name(Role role);

// Counted work of one execution: what the op must move and compute, not what a kernel happens to.
struct Work {
    double bytes_read = 0;
    double bytes_written = 0;
    double flops = 0;
    std::int64_t rows = 0;     // rows this execution worked on
    std::int64_t context = 0;  // keys attended to, for attention; else 0
};

// Work as coefficients, so that a replayed launch can be counted from its rows and context alone:
// work = fixed + per_row * rows + per_context * context.
struct Cost {
    double fixed = 0;
    double per_row = 0;
    double per_context = 0;

    constexpr double at(double rows, double context) const {
        return fixed + per_row * rows + per_context * context;
    }
};

struct WorkModel {
    Cost bytes_read, bytes_written, flops;

    constexpr Work at(std::int64_t rows, std::int64_t context = 0) const {
        const auto r = static_cast<double>(rows), c = static_cast<double>(context);
        return {bytes_read.at(r, c), bytes_written.at(r, c), flops.at(r, c), rows, context};
    }
};

struct Declaration {
    std::string_view name;        // "rms_norm": the op, also its file engine/ops/<name>.h
    std::string_view cpu_kernel;  // what the CPU backend's range reports as kernel name
    std::string_view formula;     // one line of maths with shapes
    double tolerance_f32 = 0;     // relative L2 against the float64 reference
};

}  // namespace engine::ops

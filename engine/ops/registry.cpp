// SPDX-License-Identifier: Apache-2.0
// Every op the engine has, and the names of their roles.
#include "engine/ops/registry.h"

#include <array>

#include "engine/ops/attention.h"
#include "engine/ops/causal_conv.h"
#include "engine/ops/embedding.h"
#include "engine/ops/expert_gather.h"
#include "engine/ops/expert_matmul.h"
#include "engine/ops/gated_group_norm.h"
#include "engine/ops/greedy_pick.h"
#include "engine/ops/kv_write.h"
#include "engine/ops/matmul.h"
#include "engine/ops/residual_add.h"
#include "engine/ops/rms_norm.h"
#include "engine/ops/router.h"
#include "engine/ops/row_slice.h"
#include "engine/ops/ssd_scan.h"
#include "engine/ops/token_score.h"
#include "engine/ops/weighted_row_sum.h"

namespace engine::ops {

namespace {

constexpr std::array all{
    &embedding::declaration,
    &rms_norm::declaration,
    &matmul::declarations[0],
    &matmul::declarations[1],
    &matmul::declarations[2],
    &matmul::declarations[3],
    &matmul::declarations[4],
    &causal_conv::declaration,
    &ssd_scan::declaration,
    &gated_group_norm::declaration,
    &attention::prefill,
    &attention::decode,
    &kv_write::declaration,
    &router::declaration,
    &expert_gather::declaration,
    &expert_matmul::declarations[0],
    &expert_matmul::declarations[1],
    &expert_matmul::declarations[2],
    &expert_matmul::declarations[3],
    &expert_matmul::declarations[4],
    &row_slice::declaration,
    &weighted_row_sum::declaration,
    &residual_add::declaration,
    &greedy_pick::declaration,
    &token_score::declaration,
};

}  // namespace

std::span<const Declaration* const> registry() {
    return all;
}

const Declaration* find(std::string_view name) {
    for (const Declaration* declaration : all) {
        if (declaration->name == name) return declaration;
    }
    return nullptr;
}

std::string_view name(Role role) {
    constexpr std::array<std::string_view, 16> names{"embedding",
                                                     "norm",
                                                     "mamba_projection",
                                                     "conv",
                                                     "scan",
                                                     "attention_projection",
                                                     "attention",
                                                     "router",
                                                     "expert_gemm",
                                                     "shared_gemm",
                                                     "mlp_gemm",
                                                     "gather",
                                                     "lm_head",
                                                     "sample",
                                                     "elementwise",
                                                     "latent_projection"};
    return names[static_cast<std::size_t>(role)];
}

}  // namespace engine::ops

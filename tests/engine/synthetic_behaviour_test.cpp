// SPDX-License-Identifier: Apache-2.0
// A forward of a synthetic model behaves as that of a trained one: nothing explodes or dies, all
// experts are used and none by all, and the top token stands out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/engine/synthetic_behaviour.h"

namespace {

using engine::synthetic::Recipe;

void expect_behaved(const std::string& title,
                    engine::synthetic::Spec spec,
                    Recipe recipe,
                    std::int64_t tokens) {
    spec.recipe = recipe;
    const auto model = engine::synthetic::open(spec, engine::synthetic::Weights::made);
    const auto seen = behaviour::run(model, tokens, 1);
    fmt::print("{}", behaviour::table(title, seen));
    EXPECT_GE(seen.median_margin, 1) << title;
    EXPECT_GE(seen.distinct_picks, tokens / 8) << title;
    for (std::size_t i = 0; i < seen.layers.size(); ++i) {
        const auto& layer = seen.layers[i];
        EXPECT_GE(layer.rms, 0.5) << title << ", layer " << i;
        EXPECT_LE(layer.rms, 20) << title << ", layer " << i;
        if (layer.kind != "moe") continue;
        EXPECT_EQ(layer.idle, 0) << title << ", layer " << i;
        EXPECT_GE(layer.load, 2) << title << ", layer " << i;
        EXPECT_LE(layer.load, 3) << title << ", layer " << i;
    }
}

// Sizes in the proportions of the real ones: with fewer features inside a layer than outside, what
// layers add would favour a few directions.
const char* const nano = R"({"vocab_size":4096,"hidden_size":192,"num_attention_heads":8,
    "head_dim":32,"mamba_num_heads":9,"mamba_head_dim":32,"ssm_state_size":64,"n_groups":3,
    "moe_intermediate_size":128,"moe_shared_expert_intermediate_size":256})";

// Latent experts, top 22 of 512.
const char* const super = R"({"hybrid_override_pattern":"MEMEM*EMEME","vocab_size":2048,
    "hidden_size":128,"num_attention_heads":4,"head_dim":32,"mamba_num_heads":8,
    "mamba_head_dim":32,"ssm_state_size":64,"n_groups":2,"moe_intermediate_size":128,
    "moe_shared_expert_intermediate_size":160,"moe_latent_size":64})";

TEST(SyntheticBehaviour, of_the_nano_schedule_is_that_of_a_trained_model) {
    expect_behaved("nano schedule, bf16", behaviour::scaled("nemotron-3-nano", nano), Recipe::bf16,
                   4314);
    expect_behaved("nano schedule, nvfp4", behaviour::scaled("nemotron-3-nano", nano),
                   Recipe::nvfp4, 4314);
}

TEST(SyntheticBehaviour, of_latent_experts_is_that_of_a_trained_model) {
    expect_behaved("super, scaled down", behaviour::scaled("nemotron-3-super", super),
                   Recipe::super, 4314);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// The names that a checkpoint of this family gives its tensors.
#include "engine/model/weights.h"

#include <fmt/format.h>

#include <array>

#include "engine/model/binder.h"

namespace engine::model {

namespace {

MambaWeights bind_mamba(Binder& binder, const std::string& mixer, const Geometry& geometry) {
    const MambaGeometry& m = geometry.mamba;
    const std::array<std::int64_t, 3> conv{m.conv_channels(), 1, m.conv_taps};
    MambaWeights w;
    w.in_proj = binder.matrix(mixer + "in_proj", m.projection(), geometry.hidden);
    w.out_proj = binder.matrix(mixer + "out_proj", geometry.hidden, m.inner());
    w.conv_weight = binder.small(mixer + "conv1d.weight", conv);
    if (m.conv_bias) w.conv_bias = binder.small(mixer + "conv1d.bias", m.conv_channels());
    w.a_log = binder.small(mixer + "A_log", m.heads);
    w.d = binder.small(mixer + "D", m.heads);
    w.dt_bias = binder.small(mixer + "dt_bias", m.heads);
    w.norm = binder.small(mixer + "norm.weight", m.inner());
    return w;
}

AttentionWeights bind_attention(Binder& binder,
                                const std::string& mixer,
                                const Geometry& geometry) {
    const AttentionGeometry& a = geometry.attention;
    AttentionWeights w;
    w.q = binder.matrix(mixer + "q_proj", a.heads * a.head_dim, geometry.hidden);
    w.k = binder.matrix(mixer + "k_proj", a.kv_heads * a.head_dim, geometry.hidden);
    w.v = binder.matrix(mixer + "v_proj", a.kv_heads * a.head_dim, geometry.hidden);
    w.o = binder.matrix(mixer + "o_proj", geometry.hidden, a.heads * a.head_dim);
    return w;
}

MlpWeights bind_mlp(Binder& binder,
                    const std::string& at,
                    std::int64_t hidden,
                    std::int64_t width) {
    return {.up = binder.matrix(at + "up_proj", width, hidden),
            .down = binder.matrix(at + "down_proj", hidden, width)};
}

// One tensor pair per expert, or all experts of a layer stacked in two tensors.
std::vector<MlpWeights> bind_experts(Binder& binder,
                                     const std::string& mixer,
                                     std::int64_t io,
                                     const MoeGeometry& moe) {
    std::vector<MlpWeights> experts(static_cast<std::size_t>(moe.experts));
    if (binder.has(mixer + "experts.up_proj")) {
        const auto up = binder.stacked(mixer + "experts.up_proj", moe.experts, moe.width, io);
        const auto down = binder.stacked(mixer + "experts.down_proj", moe.experts, io, moe.width);
        for (std::size_t e = 0; e < experts.size(); ++e) experts[e] = {up[e], down[e]};
        return experts;
    }
    for (std::size_t e = 0; e < experts.size(); ++e) {
        experts[e] = bind_mlp(binder, fmt::format("{}experts.{}.", mixer, e), io, moe.width);
    }
    return experts;
}

MoeWeights bind_moe(Binder& binder,
                    const std::string& mixer,
                    std::int64_t hidden,
                    const MoeGeometry& moe) {
    MoeWeights w;
    w.gate = binder.matrix(mixer + "gate", moe.experts, hidden);
    w.bias = binder.small(mixer + "gate.e_score_correction_bias", moe.experts);
    binder.discount(moe.experts);  // balanced during training, not learned: no parameter
    if (moe.latent > 0) {
        w.latent_in = binder.matrix(mixer + "fc1_latent_proj", moe.latent, hidden);
        w.latent_out = binder.matrix(mixer + "fc2_latent_proj", hidden, moe.latent);
    }
    w.experts = bind_experts(binder, mixer, moe.expert_io(hidden), moe);
    if (moe.shared_width > 0) {
        w.shared = bind_mlp(binder, mixer + "shared_experts.", hidden, moe.shared_width);
    }
    return w;
}

LayerWeights bind_layer(Binder& binder, const Geometry& geometry, std::size_t index) {
    const LayerGeometry& layer = geometry.layers[index];
    const std::string at = fmt::format("{}layers.{}.", binder.prefix(), index);
    LayerWeights w;
    w.norm = binder.small(at + "norm.weight", geometry.hidden);
    const std::string mixer = at + "mixer.";
    switch (layer.kind) {
        case Block::mamba:
            w.mamba = bind_mamba(binder, mixer, geometry);
            break;
        case Block::attention:
            w.attention = bind_attention(binder, mixer, geometry);
            break;
        case Block::moe:
            w.moe = bind_moe(binder, mixer, geometry.hidden, layer.moe);
            break;
        case Block::mlp:
            w.mlp = bind_mlp(binder, mixer, geometry.hidden, layer.mlp_width);
            break;
    }
    return w;
}

}  // namespace

Weights bind_weights(const Geometry& geometry, const format::Safetensors& files) {
    Weights weights;
    Binder binder(files, weights);
    weights.embedding =
        binder.matrix(binder.prefix() + "embeddings", geometry.vocab, geometry.hidden);
    for (std::size_t i = 0; i < geometry.layers.size(); ++i) {
        weights.layers.push_back(bind_layer(binder, geometry, i));
    }
    weights.final_norm = binder.small(binder.prefix() + "norm_f.weight", geometry.hidden);
    const std::string head = binder.head_prefix() + "lm_head";
    if (geometry.tied_embeddings) {
        weights.lm_head = weights.embedding;
        if (binder.has(head + ".weight")) binder.ignore(head + ".weight");  // the same values
    } else {
        weights.lm_head = binder.matrix(head, geometry.vocab, geometry.hidden);
    }
    binder.require_all_taken();
    return weights;
}

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// Walks the layers as a checkpoint lists them.
#include "engine/synthetic/catalogue.h"

#include <fmt/format.h>

#include "engine/synthetic/catalogue_builder.h"

namespace engine::synthetic {

namespace {

using model::Block;
using model::Geometry;
using model::LayerGeometry;
using model::MambaGeometry;
using model::MoeGeometry;

bool feeds_attention(const Geometry& geometry, std::size_t layer) {
    return layer + 1 < geometry.layers.size() &&
           geometry.layers[layer + 1].kind == Block::attention;
}

void add_mamba(CatalogueBuilder& add, const std::string& mixer, std::size_t layer) {
    const Geometry& geometry = add.geometry();
    const MambaGeometry& m = geometry.mamba;
    const Part part = feeds_attention(geometry, layer) ? Part::mamba_before_attention : Part::mamba;
    const Gains& gains = add.gains();
    add.linear(mixer + "in_proj", part, m.projection(), geometry.hidden,
               {gains.unit(geometry.hidden)});
    add.linear(mixer + "out_proj", part, geometry.hidden, m.inner(),
               {gains.mamba_out(m.inner()), true});
    add.small(mixer + "conv1d.weight", {m.conv_channels(), 1, m.conv_taps},
              even_rule(gains.unit(m.conv_taps)));
    if (m.conv_bias) add.small(mixer + "conv1d.bias", {m.conv_channels()}, ranges::conv_bias);
    add.small(mixer + "A_log", {m.heads}, ranges::a_log);
    add.small(mixer + "D", {m.heads}, ranges::skip);
    add.small(mixer + "dt_bias", {m.heads}, ranges::dt_bias);
    add.small(mixer + "norm.weight", {m.inner()}, ranges::norm);
}

void add_attention(CatalogueBuilder& add, const std::string& mixer) {
    const std::int64_t hidden = add.geometry().hidden;
    const model::AttentionGeometry& a = add.geometry().attention;
    const std::int64_t width = a.heads * a.head_dim, kv_width = a.kv_heads * a.head_dim;
    const Gains& gains = add.gains();
    const Values score{gains.attention_score(hidden)};
    add.linear(mixer + "q_proj", Part::attention, width, hidden, score);
    add.linear(mixer + "k_proj", Part::attention, kv_width, hidden, score);
    add.linear(mixer + "v_proj", Part::attention, kv_width, hidden, {gains.unit(hidden)});
    add.linear(mixer + "o_proj", Part::attention, hidden, width, {gains.attention_out(width)});
    add.cache_scales(mixer);
}

// An MLP of relu^2 between `hidden` features.
void add_mlp(CatalogueBuilder& add,
             const std::string& at,
             Part part,
             std::int64_t hidden,
             std::int64_t width,
             Ratio down) {
    add.linear(at + "up_proj", part, width, hidden, {add.gains().unit(hidden)});
    add.linear(at + "down_proj", part, hidden, width, {down, true});
}

void add_router(CatalogueBuilder& add, const std::string& mixer, const MoeGeometry& moe) {
    const std::int64_t hidden = add.geometry().hidden;
    const std::int32_t bias = router_bias(moe);
    add.router(mixer + "gate.weight", moe.experts, hidden, add.gains().unit(hidden));
    add.float32(mixer + "gate.e_score_correction_bias", moe.experts,
                {.low = -bias, .count = 2 * bias + 1, .exponent = router_bias_exponent});
}

void add_moe(CatalogueBuilder& add, const std::string& mixer, const MoeGeometry& moe) {
    const std::int64_t hidden = add.geometry().hidden, io = moe.expert_io(hidden);
    const Gains& gains = add.gains();
    add_router(add, mixer, moe);
    if (moe.latent > 0) {
        add.linear(mixer + "fc1_latent_proj", Part::latent, io, hidden, {gains.unit(hidden)});
        add.linear(mixer + "fc2_latent_proj", Part::latent, hidden, io, {gains.unit(io)});
    }
    for (std::int64_t e = 0; e < moe.experts; ++e) {
        add_mlp(add, fmt::format("{}experts.{}.", mixer, e), Part::expert, io, moe.width,
                gains.expert_down(moe));
    }
    if (moe.shared_width > 0) {
        add_mlp(add, mixer + "shared_experts.", Part::shared, hidden, moe.shared_width,
                gains.shared_down(moe));
    }
}

void add_layer(CatalogueBuilder& add, std::size_t index) {
    const LayerGeometry& layer = add.geometry().layers[index];
    const std::string at = fmt::format("backbone.layers.{}.", index), mixer = at + "mixer.";
    add.small(at + "norm.weight", {add.geometry().hidden}, ranges::norm);
    switch (layer.kind) {
        case Block::mamba:
            return add_mamba(add, mixer, index);
        case Block::attention:
            return add_attention(add, mixer);
        case Block::moe:
            return add_moe(add, mixer, layer.moe);
        case Block::mlp:
            return add_mlp(add, mixer, Part::mlp, add.geometry().hidden, layer.mlp_width,
                           add.gains().mlp_down(layer.mlp_width));
    }
}

}  // namespace

std::uint64_t Entry::bytes() const {
    auto count = static_cast<std::uint64_t>(format::bytes(dtype));
    for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
    return count;
}

std::uint64_t Catalogue::bytes() const {
    std::uint64_t sum = 0;
    for (const Entry& entry : entries) sum += entry.bytes();
    return sum;
}

Catalogue catalogue(const Geometry& geometry, Recipe recipe) {
    CatalogueBuilder add(geometry, recipe);
    const std::int64_t vocab = geometry.vocab, hidden = geometry.hidden;
    add.linear("backbone.embeddings", Part::embedding, vocab, hidden, {Ratio{1, 1}});
    for (std::size_t i = 0; i < geometry.layers.size(); ++i) add_layer(add, i);
    add.small("backbone.norm_f.weight", {hidden}, ranges::norm);
    if (!geometry.tied_embeddings) {
        add.linear("lm_head", Part::lm_head, vocab, hidden, {add.gains().lm_head(hidden)});
    }
    return add.take();
}

}  // namespace engine::synthetic

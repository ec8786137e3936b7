// SPDX-License-Identifier: Apache-2.0
// Reads config.json: sizes per model and per layer, legacy aliases, refusal of what the engine
// lacks.
#include "engine/model/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "engine/model/config_reader.h"
#include "engine/model/schedule.h"

namespace engine::model {

namespace {

// A legacy key overrides the modern one. Of the legacy ones mamba_expand, mamba_chunk_size,
// mamba_dt_max and mamba_dt_init_floor change nothing here, like the modern keys they stand for:
// the inner width is heads x head_dim, the scan has no chunks, the rest is about initialisation.
std::string_view either(const ConfigReader& config,
                        std::string_view legacy,
                        std::string_view modern) {
    return config.has(legacy) ? legacy : modern;
}

MambaGeometry read_mamba(const ConfigReader& config) {
    MambaGeometry mamba;
    mamba.heads = config.count("mamba_num_heads");
    mamba.head_dim = config.count("mamba_head_dim");
    mamba.state = config.count("ssm_state_size");
    const auto groups = either(config, "mamba_n_groups", "n_groups");
    mamba.groups = config.count(groups);
    if (mamba.heads % mamba.groups != 0) {
        config.fail(groups, fmt::format("a divisor of mamba_num_heads, {}", mamba.heads));
    }
    mamba.conv_taps = config.count(either(config, "mamba_d_conv", "conv_kernel"));
    mamba.conv_bias = config.flag(either(config, "mamba_conv_bias", "use_conv_bias"), true);
    mamba.time_step_min = config.number(either(config, "mamba_dt_min", "time_step_min"), 0.001);
    const auto limit = either(config, "mamba_dt_limit", "time_step_limit");
    if (config.has(limit)) {
        const std::vector<double> bounds = config.numbers(limit);
        if (bounds.size() != 2 || !(bounds[0] <= bounds[1])) {
            config.fail(limit, "[low, high] with low <= high");
        }
        mamba.dt_floor = bounds[0];
        mamba.dt_ceiling = bounds[1];
    }
    return mamba;
}

AttentionGeometry read_attention(const ConfigReader& config) {
    AttentionGeometry attention;
    attention.heads = config.count("num_attention_heads");
    attention.kv_heads = config.count("num_key_value_heads");
    attention.head_dim = config.count("head_dim");
    if (attention.heads % attention.kv_heads != 0) {
        config.fail("num_key_value_heads",
                    fmt::format("a divisor of num_attention_heads, {}", attention.heads));
    }
    return attention;
}

// One layer's view of config.json. A block's own entry wins over the model's; a list in the model's
// gives one value per layer.
struct LayerConfig {
    const ConfigReader& config;
    const ConfigReader* block;  // its entry of block_configs, or nullptr
    std::size_t layer, layers;

    std::optional<std::int64_t> find(std::string_view key) const {
        if (block && block->has(key)) return block->count(key, 0);
        const std::vector<std::int64_t> values = config.counts(key);
        if (values.empty() && !config.has(key)) return std::nullopt;
        if (values.size() == layers) return values[layer];
        if (values.size() != 1) fail(key);
        return values[0];
    }

    std::int64_t count(std::string_view key, std::int64_t fallback) const {
        return find(key).value_or(fallback);
    }

    std::int64_t count(std::string_view key) const {  // at least 1
        const std::int64_t value = count(key, 0);
        if (value < 1) fail(key);
        return value;
    }

    [[noreturn]] void fail(std::string_view key) const {
        const ConfigReader& from = block && block->has(key) ? *block : config;
        from.fail(key, fmt::format("a whole number, at least 1, or a list of {}", layers));
    }
};

void check_routing(const ConfigReader& config, const MoeGeometry& moe) {
    if (moe.top_k > moe.experts) {
        config.fail("num_experts_per_tok",
                    fmt::format("at most n_routed_experts, {}", moe.experts));
    }
    if (moe.groups < 1 || moe.experts % moe.groups != 0) {
        config.fail("n_group", fmt::format("a divisor of n_routed_experts, {}", moe.experts));
    }
    if (moe.top_groups < 1 || moe.top_groups > moe.groups) {
        config.fail("topk_group", fmt::format("1 to n_group, {}", moe.groups));
    }
    if (moe.top_k > moe.top_groups * (moe.experts / moe.groups)) {
        config.fail("topk_group", "groups that hold at least num_experts_per_tok experts");
    }
}

MoeGeometry read_moe(const LayerConfig& layer) {
    const ConfigReader& config = layer.config;
    MoeGeometry moe;
    moe.experts = layer.count("n_routed_experts");
    moe.top_k = layer.count("num_experts_per_tok");
    moe.width = layer.count("moe_intermediate_size");
    moe.latent = layer.count("moe_latent_size", 0);
    moe.groups = config.count("n_group", 1);
    moe.top_groups = config.count("topk_group", 1);
    moe.scale = config.number("routed_scaling_factor", 1.0);
    if (!std::isfinite(moe.scale)) config.fail("routed_scaling_factor", "a finite number");
    moe.normalise = config.flag("norm_topk_prob", true);
    const std::int64_t shared = layer.count("n_shared_experts", 0);
    if (shared > 1) config.fail("n_shared_experts", "0 or 1");
    if (shared == 1) moe.shared_width = layer.count("moe_shared_expert_intermediate_size");
    check_routing(config, moe);
    return moe;
}

void require_known_architecture(const ConfigReader& config) {
    constexpr std::string_view types = "\"nemotron_h\" or \"nemotron_h_puzzle\"";
    constexpr std::string_view classes =
        "[\"NemotronHForCausalLM\"] or [\"NemotronHPuzzleForCausalLM\"]";
    const auto type = config.text("model_type");
    if (type && *type != "nemotron_h" && *type != "nemotron_h_puzzle") {
        config.fail("model_type", types);
    }
    const std::vector<std::string> architectures = config.words("architectures");
    for (const std::string& name : architectures) {
        if (name == "NemotronHForCausalLM" || name == "NemotronHPuzzleForCausalLM") continue;
        config.fail("architectures",
                    fmt::format("{}; \"{}\" is another family's", classes, name.substr(0, 60)));
    }
    if (!type && architectures.empty()) config.fail("model_type", types);
}

// Rotary embeddings are in many configs of this family and used by none: rope_theta,
// partial_rotary_factor and rope_parameters mean nothing. A config that asks for them is another's.
void refuse_positions(const ConfigReader& config) {
    if (config.has("rope_scaling")) {
        config.fail("rope_scaling", "null (this family has no positional encoding)");
    }
    const std::string positions = config.text("position_embedding_type").value_or("none");
    if (positions != "none" && positions != "nope") {
        config.fail("position_embedding_type", "\"none\" (positional encoding is not supported)");
    }
    if (config.has("sliding_window")) {
        config.fail("sliding_window", "null (attention sees every key)");
    }
}

void refuse_what_is_missing(const ConfigReader& config) {
    for (const auto key : {"use_bias", "mamba_proj_bias", "mlp_bias", "attention_bias"}) {
        if (config.flag(key, false))
            config.fail(key, "false (projection biases are not supported)");
    }
    if (config.text("mlp_hidden_act").value_or("relu2") != "relu2") {
        config.fail("mlp_hidden_act", "\"relu2\"");
    }
    if (config.text("mamba_hidden_act").value_or("silu") != "silu") {
        config.fail("mamba_hidden_act", "\"silu\"");
    }
}

void read_layers(const ConfigReader& config, Geometry& geometry) {
    const std::vector<ConfigReader> blocks = config.objects("block_configs");
    const std::vector<Block> schedule = read_schedule(config, blocks);
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        LayerGeometry layer{.kind = schedule[i], .moe = {}, .mlp_width = 0};
        const LayerConfig view{config, blocks.empty() ? nullptr : &blocks[i], i, schedule.size()};
        if (layer.kind == Block::moe) layer.moe = read_moe(view);
        if (layer.kind == Block::mlp) layer.mlp_width = view.count("intermediate_size");
        geometry.layers.push_back(layer);
    }
}

double read_epsilon(const ConfigReader& config) {
    const auto* key = config.has("layer_norm_epsilon") ? "layer_norm_epsilon" : "norm_eps";
    const double epsilon = config.number(key, 1e-5);
    if (!(epsilon > 0 && epsilon < 1)) config.fail(key, "a number between 0 and 1");
    return epsilon;
}

}  // namespace

std::string_view name(Block kind) {
    constexpr std::array<std::string_view, 4> names{"mamba", "attention", "moe", "mlp"};
    return names[static_cast<std::size_t>(kind)];
}

bool Geometry::has(Block kind) const {
    return std::any_of(layers.begin(), layers.end(),
                       [&](const LayerGeometry& l) { return l.kind == kind; });
}

Geometry read_geometry(const std::filesystem::path& config_file) {
    return read_geometry(ConfigReader(config_file));
}

Geometry read_geometry(const ConfigReader& config) {
    require_known_architecture(config);
    refuse_what_is_missing(config);
    refuse_positions(config);
    Geometry geometry;
    geometry.vocab = config.count("vocab_size");
    if (geometry.vocab < 2) config.fail("vocab_size", "at least 2: a margin needs a second token");
    geometry.hidden = config.count("hidden_size");
    geometry.epsilon = read_epsilon(config);
    geometry.max_positions =
        config.count("max_position_embeddings", geometry.max_positions, geometry.max_positions);
    geometry.tied_embeddings = config.flag("tie_word_embeddings", false);
    read_layers(config, geometry);
    if (geometry.has(Block::mamba)) geometry.mamba = read_mamba(config);
    if (geometry.has(Block::attention)) geometry.attention = read_attention(config);
    return geometry;
}

}  // namespace engine::model

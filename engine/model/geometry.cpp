// SPDX-License-Identifier: Apache-2.0
// Reads config.json: both schedule forms, legacy aliases, and refusal of what the engine lacks.
#include "engine/model/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "engine/model/config_reader.h"

namespace engine::model {

namespace {

constexpr std::string_view schedule_form =
    "a string of M, E, *, - (hybrid_override_pattern) or a list of mamba|linear_attention, moe, "
    "attention|full_attention, mlp (layers_block_type)";

std::optional<Block> block_of_letter(char letter) {
    switch (letter) {
        case 'M':
            return Block::mamba;
        case 'E':
            return Block::moe;
        case '*':
            return Block::attention;
        case '-':
            return Block::mlp;
        default:
            return std::nullopt;
    }
}

std::optional<Block> block_of_word(std::string_view word) {
    if (word == "mamba" || word == "linear_attention") return Block::mamba;
    if (word == "attention" || word == "full_attention") return Block::attention;
    if (word == "moe") return Block::moe;
    if (word == "mlp") return Block::mlp;
    return std::nullopt;
}

// The list wins over the string when a file has both; block_configs name the block too.
std::vector<Block> read_schedule(const ConfigReader& config) {
    std::vector<Block> schedule;
    const auto add = [&](std::optional<Block> block, std::string_view key) {
        if (!block) config.fail(key, schedule_form);
        schedule.push_back(*block);
    };
    if (config.has("layers_block_type")) {
        for (const std::string& word : config.words("layers_block_type")) {
            add(block_of_word(word), "layers_block_type");
        }
    } else if (const auto pattern = config.text("hybrid_override_pattern")) {
        for (const char letter : *pattern) add(block_of_letter(letter), "hybrid_override_pattern");
    } else {
        for (const ConfigReader& block : config.objects("block_configs")) {
            const auto word = block.text("block_type");
            const auto kind = word ? block_of_word(*word) : std::nullopt;
            if (!kind) block.fail("block_type", "mamba, moe, attention or mlp");
            schedule.push_back(*kind);
        }
    }
    if (schedule.empty()) config.fail("layers_block_type", schedule_form);
    return schedule;
}

// A legacy key overrides the modern one.
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

// A block's own entry wins over the model's; a list in the model's gives one value per layer.
std::int64_t per_layer(const ConfigReader& config,
                       const ConfigReader* block,
                       std::string_view key,
                       std::size_t layer,
                       std::size_t layers) {
    if (block && block->has(key)) return block->count(key);
    const std::vector<std::int64_t> values = config.counts(key);
    if (values.size() == layers && layers > 1) return values[layer];
    if (values.size() != 1 || values[0] < 1) {
        config.fail(key, fmt::format("a whole number, at least 1, or a list of {}", layers));
    }
    return values[0];
}

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

MoeGeometry read_moe(const ConfigReader& config,
                     const ConfigReader* block,
                     std::size_t layer,
                     std::size_t layers) {
    MoeGeometry moe;
    moe.experts = per_layer(config, block, "n_routed_experts", layer, layers);
    moe.top_k = per_layer(config, block, "num_experts_per_tok", layer, layers);
    moe.width = per_layer(config, block, "moe_intermediate_size", layer, layers);
    moe.groups = config.count("n_group", 1);
    moe.top_groups = config.count("topk_group", 1);
    moe.scale = config.number("routed_scaling_factor", 1.0);
    moe.normalise = config.flag("norm_topk_prob", true);
    const std::int64_t shared = config.count("n_shared_experts", 0);
    if (shared > 1) config.fail("n_shared_experts", "0 or 1");
    if (shared == 1) moe.shared_width = config.count("moe_shared_expert_intermediate_size");
    check_routing(config, moe);
    return moe;
}

void refuse_what_is_missing(const ConfigReader& config) {
    for (const auto key : {"use_bias", "mamba_proj_bias", "mlp_bias", "attention_bias"}) {
        if (config.flag(key, false))
            config.fail(key, "false (projection biases are not supported)");
    }
    if (config.has("moe_latent_size")) {
        config.fail("moe_latent_size", "null (latent experts are not supported)");
    }
    if (config.has("sliding_window")) {
        config.fail("sliding_window", "null (attention sees every key)");
    }
    if (config.text("mlp_hidden_act").value_or("relu2") != "relu2") {
        config.fail("mlp_hidden_act", "\"relu2\"");
    }
    if (config.text("mamba_hidden_act").value_or("silu") != "silu") {
        config.fail("mamba_hidden_act", "\"silu\"");
    }
    const std::string type = config.text("model_type").value_or("");
    if (type != "nemotron_h" && type != "nemotron_h_puzzle") {
        config.fail("model_type", "\"nemotron_h\" or \"nemotron_h_puzzle\"");
    }
}

void read_layers(const ConfigReader& config, Geometry& geometry) {
    const std::vector<Block> schedule = read_schedule(config);
    const std::vector<ConfigReader> blocks = config.objects("block_configs");
    if (!blocks.empty() && blocks.size() != schedule.size()) {
        config.fail("block_configs", fmt::format("a list of {} objects", schedule.size()));
    }
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        LayerGeometry layer{.kind = schedule[i], .moe = {}, .mlp_width = 0};
        const ConfigReader* block = blocks.empty() ? nullptr : &blocks[i];
        if (layer.kind == Block::moe) layer.moe = read_moe(config, block, i, schedule.size());
        if (layer.kind == Block::mlp) {
            layer.mlp_width = per_layer(config, block, "intermediate_size", i, schedule.size());
        }
        geometry.layers.push_back(layer);
    }
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
    const ConfigReader config(config_file);
    refuse_what_is_missing(config);
    Geometry geometry;
    geometry.vocab = config.count("vocab_size");
    geometry.hidden = config.count("hidden_size");
    geometry.epsilon =
        config.number(config.has("layer_norm_epsilon") ? "layer_norm_epsilon" : "norm_eps", 1e-5);
    geometry.tied_embeddings = config.flag("tie_word_embeddings", false);
    read_layers(config, geometry);
    if (geometry.has(Block::mamba)) geometry.mamba = read_mamba(config);
    if (geometry.has(Block::attention)) geometry.attention = read_attention(config);
    return geometry;
}

}  // namespace engine::model

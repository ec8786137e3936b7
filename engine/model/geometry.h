// SPDX-License-Identifier: Apache-2.0
// The shape of a Nemotron-H model, as config.json gives it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <vector>

namespace engine::model {

class ConfigReader;

enum class Block : std::uint8_t { mamba, attention, moe, mlp };

std::string_view name(Block kind);

struct MambaGeometry {
    std::int64_t heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t groups = 0;  // heads share B and C within a group
    std::int64_t state = 0;   // columns of a head's state
    std::int64_t conv_taps = 0;
    bool conv_bias = true;
    double dt_floor = 0;  // time_step_limit: softplus(dt) is clamped to it
    double dt_ceiling = std::numeric_limits<double>::infinity();
    double time_step_min = 0.001;  // only an initialisation constant; see the fault dt_clamp

    std::int64_t inner() const { return heads * head_dim; }

    std::int64_t conv_channels() const { return inner() + 2 * groups * state; }  // x | B | C

    std::int64_t projection() const { return inner() + conv_channels() + heads; }  // z | xBC | dt
};

struct AttentionGeometry {
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
};

struct MoeGeometry {
    std::int64_t experts = 0;
    std::int64_t top_k = 0;
    std::int64_t groups = 1;  // router groups, of which top_groups are kept
    std::int64_t top_groups = 1;
    std::int64_t width = 0;         // of one routed expert
    std::int64_t latent = 0;        // width that routed experts work in; 0: the hidden width
    std::int64_t shared_width = 0;  // 0: no shared expert
    double scale = 1;               // routed_scaling_factor
    bool normalise = true;          // norm_topk_prob

    // Columns of a routed expert's input and output.
    std::int64_t expert_io(std::int64_t hidden) const { return latent > 0 ? latent : hidden; }
};

// MoE geometry is per layer: pruned members of the family have layers of different sizes.
struct LayerGeometry {
    Block kind = Block::mamba;
    MoeGeometry moe;             // for moe layers
    std::int64_t mlp_width = 0;  // for mlp layers
};

struct Geometry {
    std::int64_t vocab = 0;
    std::int64_t hidden = 0;
    double epsilon = 1e-5;         // of every norm
    bool tied_embeddings = false;  // lm_head is the embedding
    std::int64_t max_positions = std::numeric_limits<std::int32_t>::max();
    MambaGeometry mamba;          // zero when no layer needs it
    AttentionGeometry attention;  // zero when no layer needs it
    std::vector<LayerGeometry> layers;

    bool has(Block kind) const;
};

// Throws std::runtime_error naming file, key, value seen and accepted form. A feature that the
// engine lacks (biases on projections, a sliding window) is such an error.
Geometry read_geometry(const ConfigReader& config);
Geometry read_geometry(const std::filesystem::path& config_file);

}  // namespace engine::model

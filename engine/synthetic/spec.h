// SPDX-License-Identifier: Apache-2.0
// Which synthetic checkpoint: a geometry, how its weights are stored, a seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace engine::synthetic {

// What is stored how; router weights are F32 in all but bf16, everything unnamed is BF16.
enum class Recipe : std::uint8_t {
    bf16,
    fp8,        // what nvfp4 stores as NVFP4
    nvfp4,      // experts, MLPs, Mamba projections except in layers that feed attention
    lightning,  // experts and lm_head NVFP4, Mamba projections FP8
    super       // routed experts NVFP4, shared ones and Mamba projections FP8
};

std::string_view name(Recipe recipe);

struct Spec {
    std::string name;    // "nemotron-3-nano", or the stem of the config file
    std::string config;  // text of config.json
    Recipe recipe = Recipe::bf16;
    bool built_in = false;  // NAME is one of names()
    bool released = false;  // the recipe is the one that NAME's checkpoint has
    std::uint64_t seed = 0;

    std::string text()
        const;  // "synthetic:nemotron-3-nano:bf16@7"; what is the default is left out
};

// "synthetic", or with ':' or '@' after it. Everything else is a folder.
bool is_synthetic(std::string_view model);

// Of "synthetic:NAME[:RECIPE][@SEED]", or with a config file (not empty)
// "synthetic[:RECIPE][@SEED]".
// RECIPE is bf16, nvfp4, fp8 or released; it defaults to released, with a config file to bf16.
// Throws std::invalid_argument naming the part, the value seen and what is accepted.
Spec parse_spec(std::string_view model, const std::filesystem::path& config_file);

// `word` is one that a person typed. Throws std::invalid_argument.
void set_recipe(Spec& spec, std::string_view word);

std::vector<std::string_view> names();  // of the geometries that are built in

}  // namespace engine::synthetic

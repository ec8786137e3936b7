// SPDX-License-Identifier: Apache-2.0
// What is stored how, and with which companions.
#include "engine/synthetic/catalogue_builder.h"

#include <fmt/format.h>

#include <stdexcept>

namespace engine::synthetic {

namespace {

using format::Dtype;

bool is_mlp(Part part) {
    return part == Part::expert || part == Part::shared || part == Part::mlp;
}

bool is_mamba(Part part) {
    return part == Part::mamba || part == Part::mamba_before_attention;
}

// Of the activations, 2^-8: there is no calibration; this engine does not read it.
constexpr std::uint32_t input_scale = f32_code(1, -8);

// a / b as variances.
Ratio divided(const Ratio& a, const Ratio& b) {
    return a * Ratio{b.under, b.over};
}

}  // namespace

Storage storage_of(Recipe recipe, Part part) {
    switch (recipe) {
        case Recipe::bf16:
            break;
        case Recipe::fp8:
            if (is_mlp(part) || part == Part::mamba) return Storage::fp8;
            break;
        case Recipe::nvfp4:
            if (is_mlp(part) || part == Part::mamba) return Storage::nvfp4;
            break;
        case Recipe::lightning:
            if (is_mlp(part) || part == Part::lm_head) return Storage::nvfp4_weights_only;
            if (is_mamba(part)) return Storage::fp8;
            break;
        case Recipe::super:
            if (part == Part::expert) return Storage::nvfp4;
            if (is_mlp(part) || is_mamba(part)) return Storage::fp8;
            break;
    }
    return Storage::plain;
}

void CatalogueBuilder::add(std::string name,
                           Dtype dtype,
                           std::vector<std::int64_t> shape,
                           Rule rule) {
    result_.entries.push_back({std::move(name), dtype, std::move(shape), rule});
}

void CatalogueBuilder::constant(std::string name,
                                std::vector<std::int64_t> shape,
                                std::uint32_t code) {
    add(std::move(name), Dtype::f32, std::move(shape), {.kind = Kind::constant, .code = code});
}

void CatalogueBuilder::linear(const std::string& name,
                              Part part,
                              std::int64_t rows,
                              std::int64_t cols,
                              const Values& values) {
    const Storage storage = storage_of(recipe_, part);
    result_.linears.push_back({name, storage});
    if (storage == Storage::plain) {
        Rule rule = bf16_rule(values.variance);
        rule.paired = values.paired;
        return add(name + ".weight", Dtype::bf16, {rows, cols}, rule);
    }
    if (storage == Storage::fp8) {
        fp8(name, rows, cols, values);
    } else {
        nvfp4(name, rows, cols, values);
    }
    if (storage != Storage::nvfp4_weights_only) constant(name + ".input_scale", {1}, input_scale);
}

void CatalogueBuilder::fp8(const std::string& name,
                           std::int64_t rows,
                           std::int64_t cols,
                           const Values& values) {
    Rule rule = e4m3_rule();
    rule.paired = values.paired;
    add(name + ".weight", Dtype::f8_e4m3, {rows, cols}, rule);
    constant(name + ".weight_scale", {}, f32_sqrt(divided(values.variance, e4m3_mean_square())));
}

void CatalogueBuilder::nvfp4(const std::string& name,
                             std::int64_t rows,
                             std::int64_t cols,
                             const Values& values) {
    if (cols % 16 != 0) {
        throw std::runtime_error(fmt::format(
            "tensor \"{}.weight\" of [{}, {}]: NVFP4 has blocks of 16 columns; choose a size that "
            "is a multiple of 16, or the format bf16 or fp8",
            name, rows, cols));
    }
    const Ratio square = e2m1_mean_square * block_scale_mean_square;
    add(name + ".weight", Dtype::u8, {rows, cols / 2},
        {.kind = Kind::e2m1, .paired = values.paired});
    add(name + ".weight_scale", Dtype::f8_e4m3, {rows, cols / 16}, {.kind = Kind::block_scale});
    constant(name + ".weight_scale_2", {}, f32_sqrt(divided(values.variance, square)));
}

void CatalogueBuilder::router(const std::string& name,
                              std::int64_t rows,
                              std::int64_t cols,
                              Ratio variance) {
    // Rows of nearly one length: a long one would be picked more often. Both types: same values.
    Rule rule = even_rule(variance);
    if (recipe_ != Recipe::bf16) rule.kind = Kind::f32;
    add(name, recipe_ == Recipe::bf16 ? Dtype::bf16 : Dtype::f32, {rows, cols}, rule);
}

void CatalogueBuilder::small(const std::string& name,
                             std::vector<std::int64_t> shape,
                             const Rule& rule) {
    add(name, Dtype::bf16, std::move(shape), rule);
}

void CatalogueBuilder::float32(const std::string& name, std::int64_t count, Rule rule) {
    rule.kind = Kind::f32;
    add(name, Dtype::f32, {count}, rule);
}

void CatalogueBuilder::cache_scales(const std::string& mixer) {
    if (recipe_ == Recipe::bf16 || recipe_ == Recipe::super) return;
    result_.fp8_cache = true;
    constant(mixer + "k_proj.k_scale", {1}, f32_code(1, 0));
    constant(mixer + "v_proj.v_scale", {1}, f32_code(1, 0));
}

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// The scales of the parts.
#include "engine/synthetic/gains.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine::synthetic {

namespace {

constexpr Ratio added{6, 1};  // variance that all layers add to the residual stream
// Scores of standard deviation 2.5: a row attends to a few keys, not to the mean of all.
constexpr Ratio score_gain{5, 2};
// A weighted mean of values is smaller than a value.
constexpr Ratio attention_gain{4, 1};
// relu^2 of a standard normal has variance 5/4 about its mean, which pairs cancel.
constexpr Ratio relu2{4, 5};
// The top two of n normal logits lie sd * ln 2 / sqrt(2 ln n) apart in the median.
constexpr Ratio logit_gain{144, 1};

Ratio count(std::int64_t n) {
    return {static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1)), 1};
}

Ratio over(std::int64_t n) {
    return {1, static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))};
}

// Sum of the squares of a token's routing weights is square / top_k.
Ratio weight_square(const model::MoeGeometry& moe) {
    // Picked scores are near 7/8; normalised ones sum to 1.
    const double sum =
        moe.normalise ? moe.scale : moe.scale * static_cast<double>(moe.top_k) * 0.875;
    const auto steps = std::clamp<std::int64_t>(std::llround(sum * 64), 1, 1 << 16);
    return count(steps) * count(steps) * over(4096);
}

}  // namespace

Gains::Gains(const model::Geometry& geometry)
    : layer(added * over(static_cast<std::int64_t>(geometry.layers.size()))) {}

Ratio Gains::unit(std::int64_t fan_in) const {
    return over(fan_in);
}

Ratio Gains::mamba_out(std::int64_t inner) const {
    return layer * over(inner);
}

Ratio Gains::attention_score(std::int64_t hidden) const {
    return score_gain * over(hidden);
}

Ratio Gains::attention_out(std::int64_t width) const {
    return layer * attention_gain * over(width);
}

Ratio Gains::mlp_down(std::int64_t width) const {
    return layer * relu2 * over(width);
}

Ratio Gains::shared_down(const model::MoeGeometry& moe) const {
    return layer * Ratio{1, 2} * relu2 * over(moe.shared_width);
}

Ratio Gains::expert_down(const model::MoeGeometry& moe) const {
    const Ratio square = weight_square(moe);
    const Ratio routed = moe.shared_width > 0 ? layer * Ratio{1, 2} : layer;
    return routed * relu2 * over(moe.width) * count(moe.top_k) * Ratio{square.under, square.over};
}

Ratio Gains::lm_head(std::int64_t hidden) const {
    return logit_gain * over(hidden);
}

std::int32_t router_bias(const model::MoeGeometry& moe) {
    // A bias b moves the chance to be picked by the factor exp(b * hazard / slope) to first order,
    // with hazard = phi(z) / Q(z) and slope that of the sigmoid, both at the z that top_k / experts
    // of standard normal logits exceed. Row i: 2^12 * slope / hazard for top_k / experts = 2^-i-1.
    constexpr std::array<std::int32_t, 8> steps{1283, 720, 454, 304, 212, 152, 112, 84};
    std::int64_t rate =
        std::max<std::int64_t>(moe.experts, 1) * 256 / std::max<std::int64_t>(moe.top_k, 1);
    std::size_t row = 0;
    for (; rate >= 1024 && row + 2 < steps.size(); rate /= 2) ++row;
    const auto part = static_cast<std::int32_t>(std::clamp<std::int64_t>(rate - 512, 0, 512));
    const std::int32_t unit = steps[row] + (steps[row + 1] - steps[row]) * part / 512;
    // A range of +-x for the logarithm of the load gives a ratio of most to mean of
    // 2x / (1 - exp(-2x)); x near 1 gives 2.3, and chance some more.
    return std::max(unit, 1);
}

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// Integer square roots of ratios.
#include "engine/synthetic/scale.h"

#include <numeric>
#include <stdexcept>

#include "engine/format/dtype.h"

namespace engine::synthetic {

namespace {

__extension__ using Wide = unsigned __int128;

// The largest r with r * r <= n; n below 2^100.
std::uint64_t root(Wide n) {
    Wide r = 0;
    for (int bit = 50; bit >= 0; --bit) {
        const Wide next = r | (Wide{1} << bit);
        if (next * next <= n) r = next;
    }
    return static_cast<std::uint64_t>(r);
}

// floor(sqrt(square * 4^-exponent)).
std::uint64_t scaled_root(Ratio square, int exponent) {
    if (exponent <= 0) return root((Wide{square.over} << (-2 * exponent)) / square.under);
    return root(Wide{square.over} / (Wide{square.under} << (2 * exponent)));
}

// The exponent with which the scaled root lies in [low, 2 * low).
int exponent_for(Ratio square, std::uint64_t low) {
    for (int exponent = 16; exponent >= -63; --exponent) {
        if (scaled_root(square, exponent) >= low) return exponent;
    }
    throw std::logic_error("a variance is outside what synthetic weights can have");
}

}  // namespace

Ratio operator*(const Ratio& a, const Ratio& b) {
    const std::uint64_t first = std::gcd(a.over, b.under), second = std::gcd(b.over, a.under);
    Ratio result;
    if (__builtin_mul_overflow(a.over / first, b.over / second, &result.over) ||
        __builtin_mul_overflow(a.under / second, b.under / first, &result.under)) {
        throw std::runtime_error("sizes in the config are too large for synthetic weights");
    }
    return result;
}

Rule bf16_rule(Ratio variance) {
    const Ratio square = variance * Ratio{3, 1};
    const int exponent = exponent_for(square, 128);
    const auto a = static_cast<std::int32_t>(scaled_root(square, exponent));
    return {.kind = Kind::bf16, .low = -a, .count = 2 * a + 1, .exponent = exponent};
}

Rule even_rule(Ratio variance) {
    const int exponent = exponent_for(variance, 96);
    const auto middle = static_cast<std::int32_t>(scaled_root(variance, exponent));
    return {.kind = Kind::bf16,
            .either_sign = true,
            .low = middle - middle / 8,
            .count = 2 * (middle / 4 + 1),
            .exponent = exponent};
}

Rule e4m3_rule() {
    return {.kind = Kind::e4m3, .low = -240, .count = 481};
}

Ratio e4m3_mean_square() {
    const Rule rule = e4m3_rule();
    std::uint64_t sum = 0;
    for (std::int32_t i = 0; i < rule.count; ++i) {
        // Codes of integers of four significant bits are integers themselves.
        const auto value = static_cast<std::int64_t>(format::widen_e4m3(e4m3_code(rule.low + i)));
        sum += static_cast<std::uint64_t>(value * value);
    }
    return Ratio{sum, 1} * Ratio{1, static_cast<std::uint64_t>(rule.count)};
}

std::uint32_t f32_sqrt(Ratio square) {
    const int exponent = exponent_for(square, 1u << 23);
    return f32_code(static_cast<std::int32_t>(scaled_root(square, exponent)), exponent);
}

}  // namespace engine::synthetic

// SPDX-License-Identifier: Apache-2.0
// The numbers of a synthetic checkpoint: integer arithmetic from a seed to stored codes.
//
// Every element is a function of (seed, tensor name, index) alone, so that any slice can be made
// anywhere, in any order, with the same bytes. Nothing here is floating point and nothing needs a
// library: device code can include this file.
#pragma once

#include <cstdint>

namespace engine::synthetic {

// A bijection of 64 bits in which every input bit reaches every output bit: the finaliser of
// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The `counter`-th 64 bits of the stream `key`.
constexpr std::uint64_t draw(std::uint64_t key, std::uint64_t counter) {
    return mix(key + (counter + 1) * 0x9e3779b97f4a7c15u);
}

// The stream of a tensor: FNV-1a of its name, stirred with the seed.
constexpr std::uint64_t stream_key(std::uint64_t seed, const char* name, std::uint64_t length) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::uint64_t i = 0; i < length; ++i) {
        hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3u;
    }
    return mix(hash ^ mix(seed + 0x9e3779b97f4a7c15u));
}

// Bits needed to write n, which is below 2^24.
constexpr int bit_width(std::uint32_t n) {
    int width = 0;
    for (int step = 16; step > 0; step /= 2) {
        if (n >> step != 0) {
            width += step;
            n >>= step;
        }
    }
    return width + (n != 0 ? 1 : 0);
}

// The float32 code of j * 2^exponent, exact for |j| < 2^24 and results that are normal numbers.
constexpr std::uint32_t f32_code(std::int32_t j, int exponent) {
    if (j == 0) return 0;
    const auto magnitude = static_cast<std::uint32_t>(j < 0 ? -j : j);
    const int width = bit_width(magnitude);
    const std::uint32_t mantissa = (magnitude << (24 - width)) & 0x7fffffu;
    return (j < 0 ? 0x80000000u : 0u) | (static_cast<std::uint32_t>(126 + width + exponent) << 23) |
           mantissa;
}

// The bfloat16 code of j * 2^exponent, exact for |j| < 256.
constexpr std::uint16_t bf16_code(std::int32_t j, int exponent) {
    return static_cast<std::uint16_t>(f32_code(j, exponent) >> 16);
}

// The float8 e4m3 code nearest to j, ties to even, for |j| <= 448.
constexpr std::uint8_t e4m3_code(std::int32_t j) {
    const std::uint32_t sign = j < 0 ? 0x80u : 0u;
    const auto magnitude = static_cast<std::uint32_t>(j < 0 ? -j : j);
    if (magnitude == 0) return static_cast<std::uint8_t>(sign);
    const int width = bit_width(magnitude);
    const auto biased = static_cast<std::uint32_t>(width + 6) << 3;  // of 2^(width - 1)
    if (width <= 4) {
        return static_cast<std::uint8_t>(sign | (biased + ((magnitude << (4 - width)) & 7u)));
    }
    const int dropped = width - 4;
    const std::uint32_t kept = magnitude >> dropped, rest = magnitude & ((1u << dropped) - 1);
    const std::uint32_t half = 1u << (dropped - 1);
    const std::uint32_t up = rest > half || (rest == half && (kept & 1u) != 0) ? 1u : 0u;
    return static_cast<std::uint8_t>(sign | (biased + (kept & 7u) + up));  // a carry is right
}

// How the bytes of a tensor come about.
enum class Kind : std::uint8_t {
    bf16,         // uniform integers times 2^exponent
    f32,          // the same values, wider
    e4m3,         // uniform integers, rounded
    e2m1,         // two codes a byte, all sixteen alike
    block_scale,  // e4m3: 32, 36, ... 60
    constant      // one float32
};

struct Rule {
    Kind kind = Kind::bf16;
    // Column 2b + 1 is minus column 2b: what all inputs of a row have in common cancels.
    bool paired = false;
    // Integers low, -low, low + 1, -(low + 1) ... instead of low, low + 1, low + 2 ...
    bool either_sign = false;
    std::int32_t low = 0;    // of the uniform integers
    std::int32_t count = 1;  // of them, at most 65536
    std::int32_t exponent = 0;
    std::uint32_t code = 0;  // of the constant
};

// Bytes that one 64-bit draw makes.
constexpr std::uint32_t group_bytes(const Rule& rule) {
    constexpr std::uint32_t single[] = {8, 16, 4, 8, 8, 4};
    return single[static_cast<int>(rule.kind)] * (rule.paired ? 2 : 1);
}

constexpr std::uint32_t most_group_bytes = 32;

// The rule's integers, by index.
constexpr std::int32_t integer(const Rule& rule, std::int32_t index) {
    if (!rule.either_sign) return rule.low + index;
    const std::int32_t magnitude = rule.low + index / 2;
    return index % 2 == 0 ? magnitude : -magnitude;
}

// Lane 0..3 of a draw as one of them.
constexpr std::int32_t uniform(const Rule& rule, std::uint64_t bits, int lane) {
    const std::uint64_t part = (bits >> (16 * lane)) & 0xffffu;
    const std::uint64_t index = (part * static_cast<std::uint64_t>(rule.count)) >> 16;
    return integer(rule, static_cast<std::int32_t>(index));
}

constexpr void store(std::uint8_t* out, std::uint32_t code, int bytes) {
    for (int i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(code >> (8 * i));
}

// Code, and width in bytes, of one integer of a rule that draws integers.
constexpr std::uint32_t code_of(const Rule& rule, std::int32_t j) {
    if (rule.kind == Kind::bf16) return bf16_code(j, rule.exponent);
    return rule.kind == Kind::f32 ? f32_code(j, rule.exponent) : e4m3_code(j);
}

constexpr int code_bytes(Kind kind) {
    return kind == Kind::bf16 ? 2 : kind == Kind::f32 ? 4 : 1;
}

constexpr void integer_group(const Rule& rule, std::uint64_t bits, std::uint8_t* out) {
    const int bytes = code_bytes(rule.kind);
    const std::uint32_t sign = 1u << (8 * bytes - 1);
    for (int lane = 0; lane < 4; ++lane) {
        const std::uint32_t code = code_of(rule, uniform(rule, bits, lane));
        store(out, code, bytes);
        out += bytes;
        if (!rule.paired) continue;
        store(out, code ^ sign, bytes);
        out += bytes;
    }
}

constexpr void e2m1_group(const Rule& rule, std::uint64_t bits, std::uint8_t* out) {
    if (!rule.paired) {
        for (int i = 0; i < 8; ++i) out[i] = static_cast<std::uint8_t>(bits >> (8 * i));
        return;
    }
    for (int i = 0; i < 16; ++i) {
        const auto code = static_cast<std::uint32_t>(bits >> (4 * i)) & 15u;
        out[i] = static_cast<std::uint8_t>(code | ((code ^ 8u) << 4));
    }
}

constexpr std::uint8_t block_scale_code(std::uint32_t bits) {
    return static_cast<std::uint8_t>(((7 + 5) << 3) | (bits & 7u));  // 2^5 * (1 + bits / 8)
}

// The bytes [index * group_bytes, ...) of the tensor whose stream is `key`.
constexpr void make_group(const Rule& rule,
                          std::uint64_t key,
                          std::uint64_t index,
                          std::uint8_t* out) {
    const std::uint64_t bits = draw(key, index);
    switch (rule.kind) {
        case Kind::e2m1:
            return e2m1_group(rule, bits, out);
        case Kind::block_scale:
            for (int i = 0; i < 8; ++i) {
                out[i] = block_scale_code(static_cast<std::uint32_t>(bits >> (8 * i)));
            }
            return;
        case Kind::constant:
            return store(out, rule.code, 4);
        default:
            return integer_group(rule, bits, out);
    }
}

}  // namespace engine::synthetic

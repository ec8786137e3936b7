// SPDX-License-Identifier: Apache-2.0
// Names, sizes and exact widening of stored element types.
#include "engine/format/dtype.h"

#include <array>
#include <bit>
#include <limits>

namespace engine::format {

namespace {

struct Entry {
    Dtype dtype;
    std::string_view name;
    std::int64_t bytes;
};

constexpr std::array<Entry, 11> entries{{{Dtype::f64, "F64", 8},
                                         {Dtype::f32, "F32", 4},
                                         {Dtype::f16, "F16", 2},
                                         {Dtype::bf16, "BF16", 2},
                                         {Dtype::f8_e4m3, "F8_E4M3", 1},
                                         {Dtype::i64, "I64", 8},
                                         {Dtype::i32, "I32", 4},
                                         {Dtype::i16, "I16", 2},
                                         {Dtype::i8, "I8", 1},
                                         {Dtype::u8, "U8", 1},
                                         {Dtype::boolean, "BOOL", 1}}};

// sign, exponent and mantissa fields of a small float, as a float32. Subnormals are
// mantissa * 2^(1 - bias - mantissa bits), which float32 holds exactly.
float assemble(bool negative, unsigned exponent, unsigned mantissa, int bias, int mantissa_bits) {
    const float sign = negative ? -1.0f : 1.0f;
    const auto power = [](int e) {
        return std::bit_cast<float>(static_cast<unsigned>(e + 127) << 23);
    };
    const auto fraction = static_cast<float>(mantissa) * power(-mantissa_bits);
    if (exponent == 0) return sign * fraction * power(1 - bias);
    return sign * (1.0f + fraction) * power(static_cast<int>(exponent) - bias);
}

}  // namespace

std::string_view name(Dtype dtype) {
    return entries[static_cast<std::size_t>(dtype)].name;
}

std::int64_t bytes(Dtype dtype) {
    return entries[static_cast<std::size_t>(dtype)].bytes;
}

std::optional<Dtype> parse_dtype(std::string_view name) {
    for (const Entry& entry : entries) {
        if (entry.name == name) return entry.dtype;
    }
    return std::nullopt;
}

float widen_bf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float widen_f16(std::uint16_t bits) {
    const unsigned exponent = (bits >> 10) & 31u, mantissa = bits & 1023u;
    const bool negative = (bits >> 15) != 0;
    if (exponent == 31) {
        if (mantissa != 0) return std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        return negative ? -infinity : infinity;
    }
    return assemble(negative, exponent, mantissa, 15, 10);
}

float widen_e4m3(std::uint8_t bits) {
    if ((bits & 0x7f) == 0x7f) return std::numeric_limits<float>::quiet_NaN();
    return assemble((bits >> 7) != 0, (bits >> 3) & 15u, bits & 7u, 7, 3);
}

}  // namespace engine::format

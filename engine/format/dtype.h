// SPDX-License-Identifier: Apache-2.0
// Element types of stored tensors, as safetensors names them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace engine::format {

enum class Dtype : std::uint8_t { f64, f32, f16, bf16, f8_e4m3, i64, i32, i16, i8, u8, boolean };

std::string_view name(Dtype dtype);                       // "BF16"
std::int64_t bytes(Dtype dtype);                          // of one element
std::optional<Dtype> parse_dtype(std::string_view name);  // nullopt: not a type we know

// Exact: every float16, bfloat16 and float8 value is a float32.
float widen_bf16(std::uint16_t bits);
float widen_f16(std::uint16_t bits);
float widen_e4m3(std::uint8_t bits);  // e4m3fn: no infinities, 0x7f and 0xff are NaN

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Numbers out of JSON that others wrote: the value as it stands there, or nothing. A plain get<>()
// casts whatever it meets, so that 1e300 or 2^32 + 1 would pass for some other number.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

namespace engine::format {

// nullopt: not a whole number, or one that T cannot hold. 3.0 is no whole number here.
template <class T>
std::optional<T> whole_number(const nlohmann::json& value) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
    }
    if (!value.is_number_integer()) return std::nullopt;
    const auto number = value.get<std::int64_t>();
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
}

// A token's id, as lists of tokens hold it. nullopt: not a whole number from 0 to 2^31 - 1.
inline std::optional<std::int32_t> token_id(const nlohmann::json& value) {
    const auto id = whole_number<std::int32_t>(value);
    return id && *id >= 0 ? id : std::nullopt;
}

// nullopt: not a number, or not finite (1e999 is read as infinity by some parsers).
inline std::optional<double> finite_number(const nlohmann::json& value) {
    if (!value.is_number()) return std::nullopt;
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace engine::format

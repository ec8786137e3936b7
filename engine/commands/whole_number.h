// SPDX-License-Identifier: Apache-2.0
// Values that people type: whole numbers within the bounds of their option, and words.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace engine::commands {

template <class Number>
struct Bounds {
    Number low, high;
};

inline constexpr Bounds<int> thread_bounds{1, 1024};
inline constexpr Bounds<std::int64_t> most_tokens{1, std::int64_t{1} << 40};
inline constexpr Bounds<std::uint64_t> seed_bounds{0, ~std::uint64_t{0}};

// Throws UsageError: "OPTION TEXT: accepted: a whole number from LOW to HIGH".
[[noreturn]] void refuse_number(std::string_view option,
                                std::string_view text,
                                std::string_view low,
                                std::string_view high);

// `text`, when it is one of `words`; else throws UsageError naming them.
std::string one_of(std::string_view option,
                   const std::string& text,
                   const std::vector<std::string>& words);

template <class Number>
Number whole_number(std::string_view option, std::string_view text, Bounds<Number> bounds) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const bool whole = error == std::errc{} && stop == end;
    if (whole && value >= bounds.low && value <= bounds.high) return value;
    refuse_number(option, text, std::to_string(bounds.low), std::to_string(bounds.high));
}

}  // namespace engine::commands

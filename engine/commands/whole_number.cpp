// SPDX-License-Identifier: Apache-2.0
// The one message about a number that is none, or out of bounds.
#include "engine/commands/whole_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/commands/usage_error.h"

namespace engine::commands {

namespace {

constexpr std::size_t most_shown = 40;

[[noreturn]] void refuse(std::string_view option,
                         std::string_view text,
                         std::string_view accepted) {
    const bool is_long = text.size() > most_shown;
    throw UsageError(fmt::format("{} '{}{}': accepted: {}", option, text.substr(0, most_shown),
                                 is_long ? "..." : "", accepted));
}

}  // namespace

void refuse_number(std::string_view option,
                   std::string_view text,
                   std::string_view low,
                   std::string_view high) {
    refuse(option, text, fmt::format("a whole number from {} to {}", low, high));
}

std::string one_of(std::string_view option,
                   const std::string& text,
                   const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
    refuse(option, text, fmt::format("{}", fmt::join(words, ", ")));
}

}  // namespace engine::commands

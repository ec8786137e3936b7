// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known word closest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios::plan {

// Edit distance with insertions, deletions and substitutions (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The first known word at the smallest distance, if that is at most half of the word's length
// (at least 2); nullopt when nothing is that close.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// " Nearest known: 'warm_up'." or "", to be appended to a message.
std::string nearest_hint(std::string_view word, const std::vector<std::string>& known);

}  // namespace scenarios::plan

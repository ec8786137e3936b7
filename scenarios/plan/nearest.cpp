// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/nearest.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace scenarios::plan {

namespace {

constexpr std::size_t longest_word = 64;  // of a name somebody could have meant

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
    std::optional<std::string> best;
    if (word.size() > longest_word) return best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string nearest_hint(std::string_view word, const std::vector<std::string>& known) {
    const auto found = nearest(word, known);
    return found ? fmt::format(" Nearest known: '{}'.", *found) : std::string();
}

}  // namespace scenarios::plan

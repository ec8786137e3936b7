// SPDX-License-Identifier: Apache-2.0
// Puts quotes around numbers that JSON has no form for.
#include "engine/format/number_words.h"

#include <array>

namespace engine::format {

std::string quote_number_words(std::string_view text) {
    constexpr std::array<std::string_view, 3> words{"-Infinity", "Infinity", "NaN"};
    std::string result;
    bool inside = false;
    for (std::size_t i = 0; i < text.size();) {
        if (inside && text[i] == '\\' && i + 1 < text.size()) {
            result += text.substr(i, 2);
            i += 2;
            continue;
        }
        std::size_t step = 1;
        for (const std::string_view word : words) {
            if (!inside && step == 1 && text.substr(i, word.size()) == word) step = word.size();
        }
        if (text[i] == '"') inside = !inside;
        if (step > 1) result += '"';
        result += text.substr(i, step);
        if (step > 1) result += '"';
        i += step;
    }
    return result;
}

}  // namespace engine::format

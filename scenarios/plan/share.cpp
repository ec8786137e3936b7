// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/share.h"

#include <charconv>

namespace scenarios::plan {

std::optional<double> share_of(const std::string& text) {
    if (text.size() < 2 || text.back() != '%') return std::nullopt;
    double percent = 0;
    const char* end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc() || stop != end || !(percent > 0) || percent >= 100)
        return std::nullopt;
    return percent / 100;
}

}  // namespace scenarios::plan

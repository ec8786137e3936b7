// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/names.h"

#include <algorithm>

#include <fmt/format.h>

namespace scenarios::plan {

namespace {

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

bool is_name(std::string_view text) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return !text.empty() && text.size() <= longest_name && plain(text[0]) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_metric_name(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !text.empty() && text.size() <= longest_name && plain(text[0]) &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return plain(c) || c == '.' || c == '_' || c == '-' || c == '/';
           });
}

bool has_control_characters(std::string_view text) {
    return std::any_of(text.begin(), text.end(), is_control);
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string out = "\"";
    for (const char c : text.substr(0, longest))
        out += is_control(c) ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c))
                             : std::string(1, c);
    return out + (text.size() > longest ? fmt::format("...\" ({} bytes)", text.size()) : "\"");
}

}  // namespace scenarios::plan

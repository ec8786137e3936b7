// SPDX-License-Identifier: Apache-2.0
// Formats figures; measures and cuts UTF-8 text.
#include "reports/render/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace reports::render {
namespace {

struct Scale {
    double factor;
    const char* name;
};

constexpr std::array<Scale, 4> durations = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};

const Scale& scale_of(double ns) {
    for (const Scale& scale : durations) {
        if (std::abs(ns) >= scale.factor) return scale;
    }
    return durations.back();
}

// Four significant digits, but no more than three behind the point.
std::string digits(double value) {
    const double size = std::abs(value);
    const int behind = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return fmt::format("{:.{}f}", value, behind);
}

// Bytes of the character that starts here; 1 for what is no UTF-8.
std::size_t character_bytes(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead < 0x80           ? 1
                              : (lead >> 5) == 0x6  ? 2
                              : (lead >> 4) == 0xe  ? 3
                              : (lead >> 3) == 0x1e ? 4
                                                    : 1;
    if (bytes > text.size()) return 1;
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((static_cast<unsigned char>(text[i]) >> 6) != 0x2) return 1;
    }
    return bytes;
}

// East Asian wide characters and emoji take two columns, combining marks none.
int character_columns(std::string_view character) {
    if (character.size() < 2) return 1;
    char32_t code = static_cast<unsigned char>(character[0]) & (0xff >> (character.size() + 1));
    for (const char c : character.substr(1)) {
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
    }
    if (code >= 0x300 && code <= 0x36f) return 0;
    const bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                      (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                      (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                      (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) ||
                      (code >= 0x20000 && code <= 0x3fffd);
    return wide ? 2 : 1;
}

std::vector<std::string_view> characters(std::string_view text) {
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const std::size_t bytes = character_bytes(text);
        all.push_back(text.substr(0, bytes));
        text.remove_prefix(bytes);
    }
    return all;
}

}  // namespace

DurationUnit duration_unit(double ns) {
    const Scale& scale = scale_of(ns);
    return {scale.factor, scale.name};
}

std::string duration(std::optional<double> ns) {
    if (!ns || !std::isfinite(*ns)) return unknown;
    if (*ns == 0) return "0 ns";
    const Scale& scale = scale_of(*ns);
    const bool whole = scale.factor == 1 && *ns == std::round(*ns);
    return fmt::format("{} {}", whole ? fmt::format("{:.0f}", *ns) : digits(*ns / scale.factor),
                       scale.name);
}

std::string percent(std::optional<double> share) {
    if (!share || !std::isfinite(*share)) return unknown;
    const double value = 100 * *share;
    return fmt::format("{:.{}f} %", value == 0 ? 0.0 : value, std::abs(value) < 0.1 ? 2 : 1);
}

std::string quantity(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return unknown;
    if (*value != std::round(*value) || std::abs(*value) >= 1e15) return digits(*value);
    std::string text = fmt::format("{:.0f}", std::abs(*value));
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return (*value < 0 ? "-" : "") + text;
}

std::string scaled(std::optional<double> value, const char* unit) {
    if (!value || !std::isfinite(*value)) return unknown;
    constexpr std::array<Scale, 5> scales = {
        {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    for (const Scale& scale : scales) {
        if (std::abs(*value) < scale.factor && scale.factor > 1) continue;
        return fmt::format("{} {}{}", digits(*value / scale.factor), scale.name, unit);
    }
    return unknown;
}

// Units of a command's own are no SI units that a prefix could stand before.
std::string measured(double value, const std::string& unit) {
    if (unit == "ns") return duration(value);
    if (unit == "bytes") return scaled(value, "B");
    if (unit == "tokens/s") return scaled(value, unit.c_str());
    return unit == "1" ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}

std::string range(const Figure& ns) {
    if (!ns || ns->n < 2) return unknown;
    const Scale& scale = scale_of(ns->max);
    return fmt::format("{}..{} {}", digits(ns->min / scale.factor), digits(ns->max / scale.factor),
                       scale.name);
}

std::optional<double> middle(const Figure& figure) {
    if (!figure) return std::nullopt;
    return figure->median;
}

std::string short_hash(std::string_view hex) {
    return std::string(hex.substr(0, 12));
}

int columns(std::string_view text) {
    int total = 0;
    for (const std::string_view character : characters(text)) total += character_columns(character);
    return total;
}

std::string fitted(std::string_view text, int width) {
    if (columns(text) <= width) return std::string(text);
    if (width < 1) return {};
    // The end of a path says more than its start: it gets the larger half.
    const auto all = characters(text);
    int left = (width - 1) / 3, right = width - 1 - left;
    std::string head, tail;
    for (const std::string_view character : all) {
        left -= character_columns(character);
        if (left < 0) break;
        head += character;
    }
    for (auto character = all.rbegin(); character != all.rend(); ++character) {
        right -= character_columns(*character);
        if (right < 0) break;
        tail.insert(0, *character);
    }
    return head + "…" + tail;
}

std::string wrapped(std::string_view text, int width, int indent) {
    std::string out;
    int used = 0;
    while (!text.empty()) {
        std::size_t end = std::min(text.find(' '), text.size());
        if (text.substr(end).starts_with(" %"))
            end = std::min(text.find(' ', end + 1), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (used > indent && used + 1 + columns(word) > width) {
            out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
            used = indent;
        } else if (used > 0) {
            out += ' ';
            ++used;
        }
        out += word;
        used += columns(word);
    }
    return out;
}

}  // namespace reports::render

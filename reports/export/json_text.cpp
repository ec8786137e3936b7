// SPDX-License-Identifier: Apache-2.0
#include "reports/export/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "reports/render/utf8.h"

namespace reports::exports {
namespace {

bool is_plain(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void append_character(std::string& out, char c) {
    if (is_plain(c)) {
        out += c;
    } else if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
    } else {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t bytes = render::utf8_bytes(text);
        if (bytes == 0) {
            out += "\xef\xbf\xbd";
        } else if (bytes == 1) {
            append_character(out, text[0]);
        } else {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    out += '"';
}

void append_number(std::string& out, double value) {
    constexpr double exact_limit = 9e15;  // whole numbers below it are exact in a double
    if (!std::isfinite(value)) {
        out += "null";
    } else if (value == std::round(value) && std::abs(value) < exact_limit) {
        fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));
    } else {
        fmt::format_to(std::back_inserter(out), "{}", value);
    }
}

void append_micros(std::string& out, std::int64_t ns) {
    const bool negative = ns < 0;
    const auto size =
        negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    fmt::format_to(std::back_inserter(out), "{}{}.{:03}", negative ? "-" : "", size / 1000,
                   size % 1000);
}

}  // namespace reports::exports

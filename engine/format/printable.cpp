// SPDX-License-Identifier: Apache-2.0
// Escapes what a terminal would obey instead of showing.
#include "engine/format/printable.h"

#include <fmt/format.h>

#include <cstdint>

#include "engine/format/utf8.h"

namespace engine::format {

namespace {

// Unicode's categories Cc, Zl, Zp, and the bidirectional controls of Cf.
bool steers(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    if (c == '\r') return "\\r";
    return fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
}

std::string shown(std::string_view text, bool keep_lines) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto sequence = utf8::first_sequence(text.substr(at));
        const auto bytes = text.substr(at, sequence.bytes);
        at += sequence.bytes;
        if (sequence.kind != utf8::Sequence::Kind::character) {
            for (const char byte : bytes) {
                result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
            }
        } else if (const auto c = utf8::code_point(bytes);
                   steers(c) && !(keep_lines && c == '\n')) {
            result += escaped(c);
        } else {
            result += bytes;
        }
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text) {
    return shown(text, false);
}

std::string printable_lines(std::string_view text) {
    return shown(text, true);
}

}  // namespace engine::format

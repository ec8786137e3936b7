// SPDX-License-Identifier: Apache-2.0
#include "reports/render/html_text.h"

#include <fmt/format.h>

#include "reports/render/utf8.h"

namespace reports::render {
namespace {

// U+2400 and on are pictures of the control characters.
std::string control_picture(unsigned char c) {
    const unsigned code = c == 0x7f ? 0x2421 : 0x2400u + c;
    return fmt::format("&#x{:x};", code);
}

// U+202A..202E and U+2066..2069 turn the direction of what follows: a name could pose as another.
bool turns_direction(std::string_view character) {
    if (character.size() != 3) return false;
    const std::string_view start = character.substr(0, 2);
    const char last = character[2];
    return (start == "\xe2\x80" && last >= '\xaa' && last <= '\xae') ||
           (start == "\xe2\x81" && last >= '\xa6' && last <= '\xa9');
}

void append_ascii(std::string& out, char c) {
    switch (c) {
        case '&':
            out += "&amp;";
            return;
        case '<':
            out += "&lt;";
            return;
        case '>':
            out += "&gt;";
            return;
        case '"':
            out += "&quot;";
            return;
        case '\'':
            out += "&#39;";
            return;
        default:
            break;
    }
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (control && c != '\n' && c != '\t') {
        out += control_picture(static_cast<unsigned char>(c));
    } else {
        out += c;
    }
}

}  // namespace

std::string escaped_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = utf8_bytes(text);
        const std::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
        if (bytes == 1) {
            append_ascii(out, text[0]);
        } else if (bytes == 0 || turns_direction(character)) {
            out += "\xef\xbf\xbd";
        } else {
            out += character;
        }
        text.remove_prefix(character.size());
    }
    return out;
}

std::string element(std::string_view name, std::string_view attributes, std::string_view content) {
    return fmt::format("<{0}{1}{2}>{3}</{0}>", name, attributes.empty() ? "" : " ", attributes,
                       content);
}

std::string element(std::string_view name, std::string_view content) {
    return element(name, {}, content);
}

std::string html_id(std::string_view text) {
    std::string id;
    for (const char c : text) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        id += plain ? c : '-';
    }
    return id;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// The table of well-formed byte sequences of The Unicode Standard (table 3-7), as ranges.
#include "reports/render/utf8.h"

namespace reports::render {
namespace {

struct Form {
    unsigned char first_low, first_high;    // of the leading byte
    unsigned char second_low, second_high;  // narrower than 80..BF where that would be overlong, a
                                            // surrogate or above U+10FFFF
    std::size_t bytes;
};

constexpr Form forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                          {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                          {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                          {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

unsigned char byte(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

bool has_form(std::string_view text, const Form& form) {
    if (byte(text, 0) < form.first_low || byte(text, 0) > form.first_high) return false;
    if (text.size() < form.bytes) return false;
    if (byte(text, 1) < form.second_low || byte(text, 1) > form.second_high) return false;
    for (std::size_t i = 2; i < form.bytes; ++i) {
        if ((byte(text, i) & 0xc0) != 0x80) return false;
    }
    return true;
}

}  // namespace

std::size_t utf8_bytes(std::string_view text) {
    if (byte(text, 0) < 0x80) return 1;
    for (const Form& form : forms) {
        if (has_form(text, form)) return form.bytes;
    }
    return 0;
}

std::string repaired(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = utf8_bytes(text);
        if (bytes == 0) {
            out += "\xef\xbf\xbd";
        } else {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out;
}

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// UTF-8 by the table of well-formed sequences (The Unicode Standard, table 3-7).
#include "engine/format/utf8.h"

#include <cstdint>

namespace engine::format::utf8 {
namespace {

using Kind = Sequence::Kind;

// What a first byte asks for: the number of bytes, and the range of the second one.
struct Lead {
    std::size_t bytes = 0;  // 0: no character begins with it
    std::uint8_t low = 0x80;
    std::uint8_t high = 0xBF;
};

Lead lead_of(std::uint8_t byte) {
    if (byte < 0x80) return {1};
    if (byte < 0xC2) return {};
    if (byte < 0xE0) return {2};
    if (byte == 0xE0) return {3, 0xA0, 0xBF};
    if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
    if (byte < 0xF0) return {3};
    if (byte == 0xF0) return {4, 0x90, 0xBF};
    if (byte < 0xF4) return {4};
    if (byte == 0xF4) return {4, 0x80, 0x8F};  // no code points beyond U+10FFFF
    return {};
}

// The final text at the beginning of `bytes`; `used`: how many of them it stands for.
std::string final_text(std::string_view bytes, std::size_t& used) {
    std::string text;
    for (used = 0; used < bytes.size();) {
        const auto sequence = first_sequence(bytes.substr(used));
        if (sequence.kind == Kind::cut_short) break;
        text += sequence.kind == Kind::character ? bytes.substr(used, sequence.bytes) : replacement;
        used += sequence.bytes;
    }
    return text;
}

}  // namespace

Sequence first_sequence(std::string_view bytes) {
    const auto lead = lead_of(static_cast<std::uint8_t>(bytes[0]));
    if (lead.bytes == 0) return {Kind::ill_formed, 1};
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        if (i == bytes.size()) return {Kind::cut_short, i};
        const auto byte = static_cast<std::uint8_t>(bytes[i]);
        const bool fits = i == 1 ? byte >= lead.low && byte <= lead.high : (byte & 0xC0) == 0x80;
        if (!fits) return {Kind::ill_formed, i};
    }
    return {Kind::character, lead.bytes};
}

std::size_t first_fault(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto sequence = first_sequence(text.substr(at));
        if (sequence.kind != Kind::character) return at;
        at += sequence.bytes;
    }
    return std::string_view::npos;
}

std::string with_replacements(std::string_view bytes) {
    std::size_t used = 0;
    auto text = final_text(bytes, used);
    if (used < bytes.size()) text += replacement;
    return text;
}

std::string take_final(std::string& pending) {
    std::size_t used = 0;
    auto text = final_text(pending, used);
    pending.erase(0, used);
    return text;
}

std::string_view character_at(std::string_view text, std::size_t at) {
    return text.substr(at, lead_of(static_cast<std::uint8_t>(text[at])).bytes);
}

std::size_t before(std::string_view text, std::size_t at) {
    do {
        --at;
    } while (at > 0 && (static_cast<std::uint8_t>(text[at]) & 0xC0) == 0x80);
    return at;
}

char32_t code_point(std::string_view character) {
    const auto first = static_cast<std::uint8_t>(character[0]);
    constexpr std::uint8_t kept[] = {0, 0x7F, 0x1F, 0x0F, 0x07};  // bits of the first byte
    char32_t result = first & kept[character.size()];
    for (std::size_t i = 1; i < character.size(); ++i) {
        result = (result << 6) | (static_cast<std::uint8_t>(character[i]) & 0x3F);
    }
    return result;
}

bool is_white_space(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

}  // namespace engine::format::utf8

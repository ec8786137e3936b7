// SPDX-License-Identifier: Apache-2.0
// Splitting by a pattern, and the byte-level alphabet.
#include "engine/format/tokenizer_split.h"

#include <algorithm>
#include <utility>

#include "engine/format/utf8.h"

namespace engine::format {
namespace {

struct Part {
    Span span;
    bool match = false;
};

// Matches and what lies between them, covering the text.
std::vector<Part> parts_of(const SplitStep& step, std::string_view text) {
    std::vector<Part> parts;
    std::size_t done = 0;
    for (const auto& found : step.pattern.find_all(text)) {
        if (done != found.begin) parts.push_back({{done, found.begin}, step.invert});
        parts.push_back({found, !step.invert});
        done = found.end;
    }
    if (done != text.size()) parts.push_back({{done, text.size()}, step.invert});
    return parts;
}

// Joins each part to the one before it in the list wherever `joins` says so.
template <class Joins>
std::vector<Span> joined(const std::vector<Part>& parts, const Joins& joins) {
    std::vector<Span> spans;
    bool previous = false;  // was the part before this one a match
    for (const auto& part : parts) {
        if (joins(part.match, previous) && !spans.empty()) {
            spans.back().begin = std::min(spans.back().begin, part.span.begin);
            spans.back().end = std::max(spans.back().end, part.span.end);
        } else {
            spans.push_back(part.span);
        }
        previous = part.match;
    }
    return spans;
}

std::vector<Span> spans_of(const SplitStep& step, std::string_view text) {
    auto parts = parts_of(step, text);
    const auto to_the_one_before = [](bool match, bool previous) { return match && !previous; };
    switch (step.behavior) {
        case SplitBehavior::removed:
            std::erase_if(parts, [](const Part& part) { return part.match; });
            break;
        case SplitBehavior::isolated:
            break;
        case SplitBehavior::contiguous:
            return joined(parts, [](bool match, bool previous) { return match == previous; });
        case SplitBehavior::merged_with_previous:
            return joined(parts, to_the_one_before);
        case SplitBehavior::merged_with_next: {
            std::reverse(parts.begin(), parts.end());
            auto spans = joined(parts, to_the_one_before);
            std::reverse(spans.begin(), spans.end());
            return spans;
        }
    }
    return joined(parts, [](bool, bool) { return false; });
}

void split(const SplitStep& step, Pieces& pieces) {
    std::vector<Span> result;
    for (const auto& span : pieces.spans) {
        for (const auto& part : spans_of(step, pieces.piece(span))) {
            if (!part.empty()) result.push_back({span.begin + part.begin, span.begin + part.end});
        }
    }
    pieces.spans = std::move(result);
}

void append_mapped(std::string_view piece, Pieces& result) {
    if (piece.empty()) return;
    const auto begin = result.text.size();
    for (const char c : piece) result.text += byte_character(static_cast<std::uint8_t>(c));
    result.spans.push_back({begin, result.text.size()});
}

void byte_level(const ByteLevelStep& step, Pieces& pieces) {
    Pieces result;
    result.text.reserve(2 * pieces.text.size());
    std::string with_space;
    for (const auto& span : pieces.spans) {
        auto piece = pieces.piece(span);
        if (step.add_prefix_space && !piece.starts_with(' ')) {
            (with_space = ' ') += piece;
            piece = with_space;
        }
        if (step.pattern.empty()) {
            append_mapped(piece, result);
            continue;
        }
        std::size_t done = 0;
        for (const auto& found : step.pattern[0].find_all(piece)) {
            append_mapped(piece.substr(done, found.begin - done), result);
            append_mapped(piece.substr(found.begin, found.end - found.begin), result);
            done = found.end;
        }
        append_mapped(piece.substr(done), result);
    }
    pieces = std::move(result);
}

// In the order of GPT-2: bytes that Latin-1 prints stand for themselves, the rest for U+0100...
struct Alphabet {
    std::array<std::string, 256> characters;
    std::array<std::int16_t, 0x180> bytes{};  // by code point; -1: stands for none

    Alphabet() {
        bytes.fill(-1);
        unsigned next = 0x100;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool printable =
                (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
            const unsigned code = printable ? byte : next++;
            bytes[code] = static_cast<std::int16_t>(byte);
            if (code < 0x80) {
                characters[byte] = {static_cast<char>(code)};
            } else {
                characters[byte] = {static_cast<char>(0xC0 | code >> 6),
                                    static_cast<char>(0x80 | (code & 0x3F))};
            }
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet instance;
    return instance;
}

}  // namespace

void apply(const PreTokenizerStep& step, Pieces& pieces) {
    if (const auto* by_pattern = std::get_if<SplitStep>(&step)) {
        split(*by_pattern, pieces);
    } else {
        byte_level(std::get<ByteLevelStep>(step), pieces);
    }
}

std::string_view byte_level_pattern() {
    return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
}

std::string_view byte_character(std::uint8_t byte) {
    return alphabet().characters[byte];
}

std::string bytes_of_characters(std::string_view token) {
    const auto& bytes = alphabet().bytes;
    std::string result;
    for (std::size_t at = 0; at < token.size();) {
        const auto character = utf8::character_at(token, at);
        const auto code = utf8::code_point(character);
        if (code >= bytes.size() || bytes[code] < 0) return std::string(token);
        result += static_cast<char>(bytes[code]);
        at += character.size();
    }
    return result;
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Token ids to text, all at once and as they come.
#include <fmt/format.h>

#include <charconv>

#include "engine/format/tokenizer.h"
#include "engine/format/tokenizer_parts.h"
#include "engine/format/utf8.h"

namespace engine::format {
namespace {

// <0xNN>
std::optional<char> fallback_byte(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with(">")) {
        return std::nullopt;
    }
    std::uint8_t byte = 0;
    const auto* end = token.data() + 5;
    const auto [stop, error] = std::from_chars(token.data() + 3, end, byte, 16);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return static_cast<char>(byte);
}

// A run of fallback bytes: its characters, or one U+FFFD for each byte if it is not UTF-8.
std::string run_text(std::string_view run) {
    if (utf8::first_fault(run) == run.npos) return std::string(run);
    std::string text;
    for (std::size_t i = 0; i < run.size(); ++i) text += utf8::replacement;
    return text;
}

std::string decode_runs(const std::vector<std::string_view>& tokens) {
    std::string text;
    std::string run;
    for (const auto token : tokens) {
        if (const auto byte = fallback_byte(token)) {
            run += *byte;
            continue;
        }
        (text += run_text(run)) += token;
        run.clear();
    }
    return text + run_text(run);
}

}  // namespace

std::optional<std::string_view> TokenizerParts::visible(std::int32_t id, bool skip_special) const {
    const auto found = tokens.find(id);
    if (found == tokens.end()) return std::nullopt;
    if (skip_special) {
        const auto* token = added.find(id);
        if (token != nullptr && token->special) return std::nullopt;
    }
    return found->second;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, bool skip_special) const {
    std::vector<std::string_view> tokens;
    for (const auto id : ids) {
        if (const auto token = parts_->visible(id, skip_special)) tokens.push_back(*token);
    }
    switch (parts_->decoder) {
        case TokenDecoder::blanks:
            return fmt::format("{}", fmt::join(tokens, " "));
        case TokenDecoder::concatenated:
            return fmt::format("{}", fmt::join(tokens, ""));
        case TokenDecoder::byte_fallback:
            return decode_runs(tokens);
        case TokenDecoder::byte_level:
            break;
    }
    std::string bytes;
    for (const auto token : tokens) bytes += bytes_of_characters(token);
    return utf8::with_replacements(bytes);
}

TextStream::TextStream(const Tokenizer& tokenizer, bool skip_special)
    : parts_(*tokenizer.parts_), skip_special_(skip_special) {}

std::string TextStream::push(std::int32_t id) {
    const auto token = parts_.visible(id, skip_special_);
    if (!token) return "";
    const bool first = !std::exchange(any_, true);
    switch (parts_.decoder) {
        case TokenDecoder::blanks:
            return (first ? "" : " ") + std::string(*token);
        case TokenDecoder::concatenated:
            return std::string(*token);
        case TokenDecoder::byte_fallback:
            if (const auto byte = fallback_byte(*token)) {
                pending_ += *byte;  // a later byte may still spoil the whole run
                return "";
            }
            return run_text(std::exchange(pending_, {})) + std::string(*token);
        case TokenDecoder::byte_level:
            break;
    }
    pending_ += bytes_of_characters(*token);
    return utf8::take_final(pending_);
}

std::string TextStream::finish() {
    any_ = false;
    const auto rest = std::exchange(pending_, {});
    return parts_.decoder == TokenDecoder::byte_fallback ? run_text(rest)
                                                         : utf8::with_replacements(rest);
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Finds added tokens in a text.
#include "engine/format/tokenizer_added.h"

#include <algorithm>

#include "engine/format/utf8.h"

namespace engine::format {
namespace {

bool is_word(std::string_view character) {
    static const TokenizerRegex word(to_pcre2(R"([\w\x{200C}\x{200D}])"), "word characters");
    return !word.find_all(character).empty();
}

bool stands_alone(std::string_view text, Span token) {
    const bool left =
        token.begin == 0 || !is_word(utf8::character_at(text, utf8::before(text, token.begin)));
    const bool right = token.end == text.size() || !is_word(utf8::character_at(text, token.end));
    return left && right;
}

std::size_t without_space_before(std::string_view text, std::size_t at) {
    while (at > 0) {
        const auto previous = utf8::before(text, at);
        if (!utf8::is_white_space(utf8::code_point(utf8::character_at(text, previous)))) break;
        at = previous;
    }
    return at;
}

std::size_t without_space_after(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const auto character = utf8::character_at(text, at);
        if (!utf8::is_white_space(utf8::code_point(character))) break;
        at += character.size();
    }
    return at;
}

}  // namespace

void AddedTokens::Tree::add(std::string_view content, std::size_t token) {
    std::uint32_t node = 0;
    first[static_cast<std::uint8_t>(content[0])] = true;
    for (const char c : content) {
        const auto edge = std::uint64_t{node} << 8 | static_cast<std::uint8_t>(c);
        const auto [found, is_new] = edges.emplace(edge, static_cast<std::uint32_t>(tokens.size()));
        if (is_new) tokens.push_back(-1);
        node = found->second;
    }
    tokens[node] = static_cast<std::int64_t>(token);
}

std::int64_t AddedTokens::Tree::longest(std::string_view text) const {
    std::int64_t best = -1;
    std::uint32_t node = 0;
    for (const char c : text) {
        const auto found = edges.find(std::uint64_t{node} << 8 | static_cast<std::uint8_t>(c));
        if (found == edges.end()) break;
        node = found->second;
        if (tokens[node] >= 0) best = tokens[node];
    }
    return best;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const auto& token = tokens_[i];
        (token.normalized ? normalized_ : as_written_).add(token.content, i);
        by_id_.emplace(token.id, i);
        by_content_.emplace(token.content, i);
    }
}

const AddedToken* AddedTokens::find(std::int32_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

const AddedToken* AddedTokens::find(std::string_view content) const {
    const auto found = by_content_.find(content);
    return found == by_content_.end() ? nullptr : &tokens_[found->second];
}

void AddedTokens::find_in(const Tree& tree,
                          std::string_view text,
                          std::vector<Segment>& segments) const {
    std::size_t done = 0;  // everything before is in `segments`
    for (std::size_t at = 0; at < text.size();) {
        const bool possible = tree.first[static_cast<std::uint8_t>(text[at])];
        const auto found = possible ? tree.longest(text.substr(at)) : -1;
        if (found < 0) {
            ++at;
            continue;
        }
        const auto& token = tokens_[static_cast<std::size_t>(found)];
        Span span{at, at + token.content.size()};
        at = span.end;  // the next match begins here, also when this one does not count
        if (token.single_word && !stands_alone(text, span)) continue;
        if (token.lstrip) span.begin = std::max(without_space_before(text, span.begin), done);
        if (token.rstrip) span.end = without_space_after(text, span.end);
        if (done < span.begin) segments.push_back({text.substr(done, span.begin - done)});
        segments.push_back({text.substr(span.begin, span.end - span.begin), token.id});
        done = span.end;
    }
    if (done < text.size()) segments.push_back({text.substr(done)});
}

std::vector<Segment> AddedTokens::split(std::string_view text) const {
    std::vector<Segment> first;
    find_in(as_written_, text, first);
    if (normalized_.edges.empty()) return first;
    std::vector<Segment> second;
    for (const auto& segment : first) {
        if (segment.id < 0) {
            find_in(normalized_, segment.text, second);
        } else {
            second.push_back(segment);
        }
    }
    return second;
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Merging by a heap of candidate pairs over a linked list of symbols.
#include "engine/format/tokenizer_bpe.h"

#include <fmt/format.h>

#include <queue>
#include <stdexcept>
#include <utility>

#include "engine/format/utf8.h"

namespace engine::format {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

struct Symbol {
    std::int32_t id = -1;  // -1: merged into the one before
    std::uint32_t previous = none;
    std::uint32_t next = none;
};

struct Candidate {
    std::uint32_t rank;
    std::uint32_t at;  // the left one's place
    std::int32_t id;

    // The queue's top is the greatest: the lowest rank, and the leftmost of equal ones.
    bool operator<(const Candidate& other) const {
        return rank != other.rank ? rank > other.rank : at > other.at;
    }
};

using Merges = std::unordered_map<std::uint64_t, Merge>;

class Merger {
  public:
    Merger(const Merges& merges, const std::vector<std::int32_t>& ids) : merges_(merges) {
        symbols_.reserve(ids.size());
        for (std::uint32_t i = 0; i < ids.size(); ++i) {
            symbols_.push_back({ids[i], i == 0 ? none : i - 1, i + 1 < ids.size() ? i + 1 : none});
        }
        std::vector<Candidate> first;
        for (std::uint32_t i = 0; i + 1 < symbols_.size(); ++i) {
            if (const auto* merge = merge_at(i)) first.push_back({merge->rank, i, merge->id});
        }
        queue_ = std::priority_queue<Candidate>({}, std::move(first));
    }

    void run() {
        while (!queue_.empty()) {
            const auto best = queue_.top();
            queue_.pop();
            const auto* merge = merge_at(best.at);
            if (merge && merge->id == best.id) apply(best);  // else it is out of date
        }
    }

    void append_to(std::vector<std::int32_t>& ids) const {
        for (const auto& symbol : symbols_) {
            if (symbol.id >= 0) ids.push_back(symbol.id);
        }
    }

  private:
    // Of the symbol at `at` with the next one; nullptr: there is none.
    const Merge* merge_at(std::uint32_t at) const {
        const auto& left = symbols_[at];
        if (left.id < 0 || left.next == none) return nullptr;
        const auto found = merges_.find(Bpe::pair(left.id, symbols_[left.next].id));
        return found == merges_.end() ? nullptr : &found->second;
    }

    void offer(std::uint32_t at) {
        if (const auto* merge = merge_at(at)) queue_.push({merge->rank, at, merge->id});
    }

    void apply(const Candidate& candidate) {
        auto& left = symbols_[candidate.at];
        auto& right = symbols_[left.next];
        left.id = candidate.id;
        left.next = right.next;
        right.id = -1;
        if (left.next != none) symbols_[left.next].previous = candidate.at;
        if (left.previous != none) offer(left.previous);
        offer(candidate.at);
    }

    const Merges& merges_;
    std::vector<Symbol> symbols_;
    std::priority_queue<Candidate> queue_;
};

}  // namespace

Bpe::Bpe(Vocabulary vocabulary,
         std::unordered_map<std::uint64_t, Merge> merges,
         const BpeOptions& options)
    : vocabulary_(std::move(vocabulary)), merges_(std::move(merges)), options_(options) {
    short_ids_.fill(-1);
    for (const auto& [token, id] : vocabulary_) {
        if (token.empty() || utf8::character_at(token, 0).size() != token.size()) continue;
        const auto code = utf8::code_point(token);
        if (code < short_ids_.size()) short_ids_[code] = id;
    }
    for (unsigned byte = 0; options_.byte_fallback && byte < 256; ++byte) {
        const auto token = fmt::format("<0x{:02X}>", byte);
        const auto found = id(token);
        if (!found) {
            throw std::runtime_error(
                fmt::format("byte_fallback is true, but the vocabulary has no token {}", token));
        }
        byte_ids_[byte] = *found;
    }
}

std::optional<std::int32_t> Bpe::id(std::string_view token) const {
    const auto found = vocabulary_.find(token);
    if (found == vocabulary_.end()) return std::nullopt;
    return found->second;
}

std::int32_t Bpe::character_id(std::string_view character) const {
    const auto code = utf8::code_point(character);
    return code < short_ids_.size() ? short_ids_[code] : id(character).value_or(-1);
}

// Of a character without token.
void Bpe::append_unknown(std::string_view character,
                         bool after_unknown,
                         std::vector<std::int32_t>& ids) const {
    if (!options_.unknown) {
        throw std::runtime_error(fmt::format(
            "the vocabulary has no token for U+{:04X}, and the model names no unk_token",
            static_cast<std::uint32_t>(utf8::code_point(character))));
    }
    if (!after_unknown || !options_.fuse_unknown) ids.push_back(*options_.unknown);
}

void Bpe::append_characters(std::string_view piece, std::vector<std::int32_t>& ids) const {
    bool after_unknown = false;
    for (std::size_t at = 0; at < piece.size();) {
        const auto character = utf8::character_at(piece, at);
        at += character.size();
        const auto id = character_id(character);
        const bool unknown = id < 0 && !options_.byte_fallback;
        if (id >= 0) {
            ids.push_back(id);
        } else if (unknown) {
            append_unknown(character, after_unknown, ids);
        } else {
            for (const char c : character) ids.push_back(byte_ids_[static_cast<std::uint8_t>(c)]);
        }
        after_unknown = unknown;
    }
}

void Bpe::encode(std::string_view piece, std::vector<std::int32_t>& ids) const {
    if (options_.ignore_merges) {
        if (const auto whole = id(piece)) {
            ids.push_back(*whole);
            return;
        }
    }
    std::vector<std::int32_t> characters;
    characters.reserve(piece.size());
    append_characters(piece, characters);
    Merger merger(merges_, characters);
    merger.run();
    merger.append_to(ids);
}

}  // namespace engine::format

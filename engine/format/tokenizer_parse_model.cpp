// SPDX-License-Identifier: Apache-2.0
// Reads vocabulary, merges and added tokens.
#include <fmt/format.h>

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"
#include "engine/format/tokenizer_parse.h"

namespace engine::format {
namespace {

// Far beyond any token; keeps the search for added tokens short in every text.
constexpr std::size_t max_added_bytes = 1'024;

// Places are made only for messages: files have hundreds of thousands of tokens and merges.
Vocabulary read_vocabulary(const JsonPlace& vocab) {
    const auto& object = vocab.object().value();
    Vocabulary result;
    result.reserve(object.size());
    std::unordered_map<std::int32_t, std::string_view> by_id;
    by_id.reserve(object.size());
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const auto number = whole_number<std::int32_t>(*entry);
        const auto id = number && *number >= 0 ? *number : vocab.member(entry.key()).id();
        const auto [other, is_new] = by_id.emplace(id, entry.key());
        if (!is_new) {
            throw std::runtime_error(fmt::format("{}: the tokens {} and {} have the same id {}",
                                                 vocab.where(), shown(other->second),
                                                 shown(entry.key()), id));
        }
        result.emplace(entry.key(), id);
    }
    return result;
}

// ["a", "b"] or "a b".
std::pair<std::string_view, std::string_view> read_pair(const JsonPlace& merges,
                                                        std::size_t index) {
    const auto& value = merges.value()[index];
    if (value.is_array() && value.size() == 2) {
        if (value[0].is_string() && value[1].is_string()) {
            return {value[0].get_ref<const std::string&>(), value[1].get_ref<const std::string&>()};
        }
        merges.element(index).element(value[0].is_string() ? 1 : 0).text();  // says what is wrong
    }
    const std::string_view text =
        value.is_string() ? value.get_ref<const std::string&>() : std::string_view();
    const auto blank = text.find(' ');
    if (blank == text.npos || text.find(' ', blank + 1) != text.npos) {
        merges.element(index).fail("two tokens, as [\"a\", \"b\"] or as \"a b\" with one blank");
    }
    return {text.substr(0, blank), text.substr(blank + 1)};
}

std::unordered_map<std::uint64_t, Merge> read_merges(const JsonPlace& merges,
                                                     const Vocabulary& vocabulary) {
    std::unordered_map<std::uint64_t, Merge> result;
    const auto count = merges.list().value().size();
    result.reserve(count);
    std::string merged;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [left, right] = read_pair(merges, i);
        const auto id_of = [&](std::string_view token) {
            const auto found = vocabulary.find(token);
            if (found == vocabulary.end()) {
                throw std::runtime_error(fmt::format("{}: the token {} is not in the vocabulary",
                                                     merges.element(i).where(), shown(token)));
            }
            return found->second;
        };
        const auto pair = Bpe::pair(id_of(left), id_of(right));
        (merged = left) += right;
        result[pair] = {static_cast<std::uint32_t>(i), id_of(merged)};  // the last of equal ones
    }
    return result;
}

// What would change tokens, and is not here.
void refuse_unsupported(const JsonPlace& model) {
    if (const auto type = model.at("type"); type.text() != "BPE") type.fail("\"BPE\"");
    for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        const auto affix = model.find(key);
        if (affix && !affix->text().empty()) affix->fail("null, it is not supported");
    }
    const auto dropout = model.find("dropout");
    if (dropout && dropout->value() != 0.0) dropout->fail("null, it is not supported");
}

AddedToken read_added_token(const JsonPlace& entry) {
    AddedToken token;
    token.id = entry.at("id").id();
    const auto content = entry.at("content");
    token.content = content.text();
    if (token.content.empty() || token.content.size() > max_added_bytes) {
        content.fail(fmt::format("1 to {} bytes of text", max_added_bytes));
    }
    token.single_word = entry.at("single_word").flag();
    token.lstrip = entry.at("lstrip").flag();
    token.rstrip = entry.at("rstrip").flag();
    token.normalized = entry.at("normalized").flag();
    token.special = entry.at("special").flag();
    return token;
}

}  // namespace

Bpe read_model(const JsonPlace& model) {
    refuse_unsupported(model);
    auto vocabulary = read_vocabulary(model.at("vocab"));
    auto merges = read_merges(model.at("merges"), vocabulary);
    BpeOptions options;
    options.fuse_unknown = model.flag("fuse_unk", false);
    options.byte_fallback = model.flag("byte_fallback", false);
    options.ignore_merges = model.flag("ignore_merges", false);
    if (const auto unknown = model.find("unk_token")) {
        const auto found = vocabulary.find(unknown->text());
        if (found == vocabulary.end()) unknown->fail("a token of the vocabulary, or null");
        options.unknown = found->second;
    }
    try {
        return Bpe(std::move(vocabulary), std::move(merges), options);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", model.where(), error.what()));
    }
}

std::vector<AddedToken> read_added_tokens(const JsonPlace& list, const Bpe& bpe) {
    std::unordered_map<std::int32_t, std::string> owners;  // id -> content
    for (const auto& [token, id] : bpe.vocabulary()) owners.emplace(id, token);
    std::unordered_set<std::string> seen;
    std::vector<AddedToken> tokens;
    for (std::size_t i = 0; i < list.list().value().size(); ++i) {
        const auto entry = list.element(i);
        auto token = read_added_token(entry);
        if (const auto known = bpe.id(token.content); known && *known != token.id) {
            entry.at("id").fail(fmt::format("{}, the id of this token in model.vocab", *known));
        }
        if (const auto [owner, is_new] = owners.emplace(token.id, token.content);
            !is_new && owner->second != token.content) {
            entry.at("id").fail(
                fmt::format("an id of its own; this one is {}'s", shown(owner->second)));
        }
        if (!seen.insert(token.content).second) {
            entry.at("content").fail("a token that is not in the list before");
        }
        tokens.push_back(std::move(token));
    }
    return tokens;
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Reads pre-tokenizer, post-processor and decoder, and puts the parts together.
#include "engine/format/tokenizer_parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace engine::format {
namespace {

void require_null(const JsonPlace& root, std::string_view key) {
    if (const auto value = root.find(key)) value->fail("null, it is not supported");
}

void refuse_normalizer(const JsonPlace& root) {
    const auto normalizer = root.find("normalizer");
    if (!normalizer) return;
    const auto type = normalizer->at("type");
    const bool empty =
        type.text() == "Sequence" && normalizer->at("normalizers").list().value().empty();
    if (!empty) type.fail("no normalizer (null); this one is not supported");
}

SplitBehavior read_behavior(const JsonPlace& value) {
    using enum SplitBehavior;
    constexpr std::pair<std::string_view, SplitBehavior> known[] = {
        {"Removed", removed},
        {"Isolated", isolated},
        {"MergedWithPrevious", merged_with_previous},
        {"MergedWithNext", merged_with_next},
        {"Contiguous", contiguous}};
    for (const auto& [name, behavior] : known) {
        if (value.text() == name) return behavior;
    }
    value.fail("Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous");
}

TokenizerRegex compile(const Pcre2Pattern& pattern, const JsonPlace& value) {
    return {pattern, value.where()};
}

TokenizerRegex read_pattern(const JsonPlace& pattern) {
    if (const auto text = pattern.find("String")) {
        return compile(literal_pattern(text->text()), *text);
    }
    const auto regex = pattern.at("Regex");
    try {
        return compile(to_pcre2(regex.text()), regex);
    } catch (const PatternError& error) {
        throw std::runtime_error(fmt::format("{}: {}: not supported", regex.where(), error.what()));
    }
}

ByteLevelStep read_byte_level(const JsonPlace& step) {
    ByteLevelStep result;
    result.add_prefix_space = step.at("add_prefix_space").flag();
    if (step.flag("use_regex", true)) {
        result.pattern.push_back(compile(to_pcre2(byte_level_pattern()), step));
    }
    return result;
}

PreTokenizerStep read_step(const JsonPlace& step) {
    const auto type = step.at("type");
    if (type.text() == "ByteLevel") return read_byte_level(step);
    if (type.text() == "Split") {
        return SplitStep{read_pattern(step.at("pattern")), read_behavior(step.at("behavior")),
                         step.flag("invert", false)};
    }
    if (type.text() == "Digits") {
        const bool each = step.at("individual_digits").flag();
        return SplitStep{compile(to_pcre2("\\p{N}"), step),
                         each ? SplitBehavior::isolated : SplitBehavior::contiguous, false};
    }
    type.fail("ByteLevel, Split, Digits, or a Sequence of them");
}

std::vector<std::int32_t> read_ids(const JsonPlace& list) {
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < list.list().value().size(); ++i) {
        ids.push_back(list.element(i).id());
    }
    return ids;
}

// The tokens of a TemplateProcessing around the text, which must come exactly once.
void read_template(const JsonPlace& step, TokenizerParts& parts) {
    const auto pieces = step.at("single");
    std::vector<std::int32_t> sides[2];
    std::size_t texts = 0;
    for (std::size_t i = 0; i < pieces.list().value().size(); ++i) {
        const auto piece = pieces.element(i);
        if (const auto sequence = piece.find("Sequence")) {
            if (sequence->at("id").text() != "A") sequence->at("id").fail("\"A\"");
            ++texts;
            continue;
        }
        const auto name = piece.at("SpecialToken").at("id");
        const auto ids = read_ids(step.at("special_tokens").at(name.text()).at("ids"));
        auto& side = sides[std::min<std::size_t>(texts, 1)];
        side.insert(side.end(), ids.begin(), ids.end());
    }
    if (texts != 1) pieces.fail("special tokens and exactly one {\"Sequence\": {\"id\": \"A\"}}");
    parts.before.insert(parts.before.begin(), sides[0].begin(), sides[0].end());
    parts.after.insert(parts.after.end(), sides[1].begin(), sides[1].end());
}

void read_post_processor(const JsonPlace& post_processor, TokenizerParts& parts) {
    for (const auto& step : steps_of(post_processor, "processors")) {
        const auto type = step.at("type");
        if (type.text() == "TemplateProcessing") {
            read_template(step, parts);
        } else if (type.text() != "ByteLevel") {  // which only moves offsets
            type.fail("ByteLevel, TemplateProcessing, or a Sequence of them");
        }
    }
}

TokenDecoder read_decoder(const JsonPlace& decoder) {
    std::vector<TokenDecoder> found;
    for (const auto& step : steps_of(decoder, "decoders")) {
        const auto type = step.at("type");
        if (type.text() == "ByteLevel") {
            found.push_back(TokenDecoder::byte_level);
        } else if (type.text() == "ByteFallback") {
            found.push_back(TokenDecoder::byte_fallback);
        } else if (type.text() != "Fuse") {  // which is what decode() ends with anyway
            type.fail("ByteLevel, ByteFallback, Fuse, or a Sequence of them");
        }
    }
    if (found.size() > 1) decoder.fail("one of ByteLevel and ByteFallback, not both");
    return found.empty() ? TokenDecoder::concatenated : found[0];
}

void index_tokens(TokenizerParts& parts) {
    for (const auto& [token, id] : parts.bpe.vocabulary()) parts.tokens.emplace(id, token);
    for (const auto& token : parts.added.tokens()) parts.tokens.emplace(token.id, token.content);
    for (const auto& [id, token] : parts.tokens) parts.largest_id = std::max(parts.largest_id, id);
}

void check_template(const JsonPlace& root, const TokenizerParts& parts) {
    for (const auto* side : {&parts.before, &parts.after}) {
        for (const auto id : *side) {
            if (parts.tokens.contains(id)) continue;
            throw std::runtime_error(fmt::format(
                "{}: post_processor adds the id {}, which no token has", root.where(), id));
        }
    }
}

}  // namespace

std::vector<JsonPlace> steps_of(const JsonPlace& value, std::string_view key) {
    if (value.at("type").text() != "Sequence") return {value};
    std::vector<JsonPlace> steps;
    const auto list = value.at(key);
    for (std::size_t i = 0; i < list.list().value().size(); ++i) {
        for (auto& step : steps_of(list.element(i), key)) steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonPlace& pre_tokenizer) {
    std::vector<PreTokenizerStep> result;
    for (const auto& step : steps_of(pre_tokenizer, "pretokenizers")) {
        result.push_back(read_step(step));
    }
    return result;
}

std::unique_ptr<const TokenizerParts> read_parts(const JsonPlace& root, const std::string& name) {
    auto parts = std::make_unique<TokenizerParts>();
    parts->name = name;
    if (const auto version = root.find("version"); version && version->text() != "1.0") {
        version->fail("\"1.0\"");
    }
    require_null(root, "truncation");
    require_null(root, "padding");
    refuse_normalizer(root);
    parts->bpe = read_model(root.at("model"));
    if (const auto list = root.find("added_tokens")) {
        parts->added = AddedTokens(read_added_tokens(*list, parts->bpe));
    }
    if (const auto value = root.find("pre_tokenizer")) parts->steps = read_pre_tokenizer(*value);
    if (const auto value = root.find("post_processor")) read_post_processor(*value, *parts);
    if (const auto value = root.find("decoder")) parts->decoder = read_decoder(*value);
    index_tokens(*parts);
    if (parts->tokens.empty()) root.at("model").at("vocab").fail("at least one token");
    check_template(root, *parts);
    return parts;
}

}  // namespace engine::format

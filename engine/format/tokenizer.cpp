// SPDX-License-Identifier: Apache-2.0
// Encoding and decoding with the parts of a tokenizer.json.
#include "engine/format/tokenizer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/format/json_strict.h"
#include "engine/format/mapped_file.h"
#include "engine/format/tokenizer_parse.h"
#include "engine/format/utf8.h"

namespace engine::format {
namespace {

constexpr std::size_t max_file_bytes = 268'435'456;  // the largest known ones take 35 MB

void append_pieces(const TokenizerParts& parts,
                   std::string_view text,
                   std::vector<std::int32_t>& ids) {
    Pieces pieces{std::string(text), {{0, text.size()}}};
    for (const auto& step : parts.steps) apply(step, pieces);
    for (const auto& span : pieces.spans) parts.bpe.encode(pieces.piece(span), ids);
}

void require_utf8(std::string_view text) {
    const auto fault = utf8::first_fault(text);
    if (fault == text.npos) return;
    throw std::runtime_error(
        fmt::format("the text is not UTF-8: byte {} is 0x{:02X}, and no character continues or "
                    "begins so; convert the text to UTF-8",
                    fault, static_cast<unsigned char>(text[fault])));
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<const TokenizerParts> parts) : parts_(std::move(parts)) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

Tokenizer Tokenizer::open(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    const auto bytes = mapped.bytes();
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.string());
}

Tokenizer Tokenizer::parse(std::string_view json, std::string_view name) {
    const std::string file(name);
    if (json.size() > max_file_bytes) {
        throw std::runtime_error(fmt::format("{}: {} bytes; a tokenizer.json takes up to {}", file,
                                             json.size(), max_file_bytes));
    }
    const auto root = parse_strictly(json, file);
    return Tokenizer(read_parts(JsonPlace(root, file, ""), file));
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, bool add_special) const {
    require_utf8(text);
    std::vector<std::int32_t> ids;
    if (add_special) ids = parts_->before;
    for (const auto& segment : parts_->added.split(text)) {
        if (segment.id >= 0) {
            ids.push_back(segment.id);
        } else {
            append_pieces(*parts_, segment.text, ids);
        }
    }
    if (add_special) ids.insert(ids.end(), parts_->after.begin(), parts_->after.end());
    return ids;
}

std::optional<std::int32_t> Tokenizer::id(std::string_view token) const {
    if (const auto* added = parts_->added.find(token)) return added->id;
    return parts_->bpe.id(token);
}

std::optional<std::string_view> Tokenizer::token(std::int32_t id) const {
    return parts_->visible(id, false);
}

std::size_t Tokenizer::vocab_size() const {
    return parts_->tokens.size();
}

std::int32_t Tokenizer::largest_id() const {
    return parts_->largest_id;
}

}  // namespace engine::format

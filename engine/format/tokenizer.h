// SPDX-License-Identifier: Apache-2.0
// Text to token ids and back, as a tokenizer.json says: byte-level BPE and its near relatives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::format {

struct TokenizerParts;

// What the file asks for and this class lacks is refused when it is opened, never left out in
// silence. Safe to use from several threads at once.
class Tokenizer {
  public:
    // Both throw std::runtime_error with the file's name, the place in it, the value seen and the
    // accepted form.
    static Tokenizer open(const std::filesystem::path& file);
    static Tokenizer parse(std::string_view json, std::string_view name);

    ~Tokenizer();
    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;

    // `add_special`: also the ids that the post-processor adds, such as the beginning of a text.
    // Throws std::runtime_error for text that is not UTF-8 (with the byte offset), for a character
    // without token where the file names no unknown token, and when the file's pattern takes
    // beyond measure long.
    std::vector<std::int32_t> encode(std::string_view text, bool add_special = true) const;

    // Bytes that form no character become U+FFFD; an id without token is passed over.
    std::string decode(std::span<const std::int32_t> ids, bool skip_special = false) const;

    std::optional<std::int32_t> id(std::string_view token) const;
    std::optional<std::string_view> token(std::int32_t id) const;  // as the file spells it
    std::size_t vocab_size() const;                                // tokens, added ones included
    std::int32_t largest_id() const;

  private:
    friend class TextStream;
    explicit Tokenizer(std::unique_ptr<const TokenizerParts> parts);

    std::unique_ptr<const TokenizerParts> parts_;
};

// Decodes ids as they come. What push() and finish() return, put together, is what decode() makes
// of all the ids; no part of it ends in the middle of a character.
class TextStream {
  public:
    // The tokenizer must outlive the stream.
    explicit TextStream(const Tokenizer& tokenizer, bool skip_special = false);

    std::string push(std::int32_t id);  // the text that is final now; may be empty
    std::string finish();               // the rest; the stream then begins anew

  private:
    const TokenizerParts& parts_;
    bool skip_special_;
    bool any_ = false;     // a token has been seen
    std::string pending_;  // bytes that later tokens may complete
};

}  // namespace engine::format

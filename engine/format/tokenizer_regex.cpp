// SPDX-License-Identifier: Apache-2.0
// PCRE2 behind a bounded search.
#include "engine/format/tokenizer_regex.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <cstdint>
#include <stdexcept>

#include "engine/format/utf8.h"

namespace engine::format {
namespace {

constexpr std::size_t max_pattern_bytes = 65'536;
constexpr std::uint32_t heap_kib = 262'144;  // of one match

// A match is first tried with few steps, which nearly every one of a sensible pattern needs; one
// that needs more is tried again with more, at the cost of a budget for the whole text.
constexpr std::uint32_t first_steps = 1'000;
constexpr std::uint32_t more_steps = 16;  // times as many
constexpr std::uint64_t budget_base = 20'000'000;
constexpr std::uint64_t budget_per_byte = 64;

template <auto release>
struct Release {
    void operator()(auto* object) const { release(object); }
};

using Code = std::unique_ptr<pcre2_code, Release<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Release<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Release<pcre2_match_context_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Release<pcre2_compile_context_free>>;

std::string words(int error) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

Code compile(const Pcre2Pattern& pattern, const std::string& where) {
    if (pattern.text.size() > max_pattern_bytes) {
        throw std::runtime_error(fmt::format("{}: the pattern takes {} bytes; accepted: up to {}",
                                             where, pattern.text.size(), max_pattern_bytes));
    }
    const CompileContext context(pcre2_compile_context_create(nullptr));
    if (!context) throw std::bad_alloc();
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    std::size_t offset = 0;
    Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.text.data()), pattern.text.size(),
                            PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C,
                            &error, &offset, context.get()));
    if (!code) {
        throw std::runtime_error(fmt::format("{}: at byte {} of the pattern: {}", where,
                                             pattern.origin(offset), words(error)));
    }
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // where it cannot, matching interprets
    return code;
}

}  // namespace

struct TokenizerRegex::State {
    Code code;
    std::string where;
};

namespace {

// The search through one text.
class Search {
  public:
    Search(const pcre2_code* code, const std::string& where, std::string_view text)
        : code_(code),
          where_(where),
          text_(text),
          budget_(budget_base + budget_per_byte * text.size()),
          data_(pcre2_match_data_create(1, nullptr)),
          context_(pcre2_match_context_create(nullptr)) {
        if (!data_ || !context_) throw std::bad_alloc();
        pcre2_set_heap_limit(context_.get(), heap_kib);
    }

    // The leftmost match that begins at or after `from`.
    bool find(std::size_t from, Span& found) {
        std::uint32_t options = PCRE2_NO_UTF_CHECK;
        for (std::uint64_t steps = first_steps;;) {
            pcre2_set_match_limit(context_.get(), static_cast<std::uint32_t>(steps));
            const int result =
                pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text_.data()), text_.size(), from,
                            options, data_.get(), context_.get());
            if (result == PCRE2_ERROR_NOMATCH) return false;
            if (result >= 0) break;
            if (result == PCRE2_ERROR_MATCHLIMIT) {
                steps = more(steps, from);
            } else if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
                options |= PCRE2_NO_JIT;  // on the heap instead
            } else {
                throw std::runtime_error(
                    fmt::format("{}: at byte {} of a text: {}", where_, from, words(result)));
            }
        }
        const auto* ends = pcre2_get_ovector_pointer(data_.get());
        found = {ends[0], ends[1]};
        return true;
    }

  private:
    std::uint64_t more(std::uint64_t steps, std::size_t from) {
        budget_ -= std::min(budget_, steps);
        if (const auto next = steps * more_steps;
            next <= std::min<std::uint64_t>(budget_, UINT32_MAX)) {
            return next;
        }
        throw std::runtime_error(
            fmt::format("{}: at byte {} of a text of {} bytes the pattern backtracks beyond {} "
                        "steps; a pattern "
                        "of a tokenizer takes a few steps a character",
                        where_, from, text_.size(), steps));
    }

    const pcre2_code* code_;
    const std::string& where_;
    std::string_view text_;
    std::uint64_t budget_;  // steps that repeated tries may still take
    MatchData data_;
    MatchContext context_;
};

}  // namespace

TokenizerRegex::TokenizerRegex(const Pcre2Pattern& pattern, std::string where)
    : state_(std::make_unique<State>()) {
    state_->code = compile(pattern, where);
    state_->where = std::move(where);
}

TokenizerRegex::~TokenizerRegex() = default;
TokenizerRegex::TokenizerRegex(TokenizerRegex&&) noexcept = default;
TokenizerRegex& TokenizerRegex::operator=(TokenizerRegex&&) noexcept = default;

std::vector<Span> TokenizerRegex::find_all(std::string_view text) const {
    Search search(state_->code.get(), state_->where, text);
    std::vector<Span> matches;
    Span found;
    for (std::size_t from = 0; from <= text.size() && search.find(from, found);) {
        if (!found.empty() || matches.empty() || matches.back().end != found.end) {
            matches.push_back(found);
            from = found.end;
        } else {
            from += from < text.size() ? utf8::character_at(text, from).size() : 1;
        }
    }
    return matches;
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
// Rewrites an Oniguruma pattern for PCRE2, one element after the other.
#include "engine/format/tokenizer_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/format/utf8.h"

namespace engine::format {
namespace {

// \s: PCRE2's own also takes U+180E, which has been no white space since Unicode 6.3.
constexpr std::string_view space = "\\p{White_Space}";
constexpr std::string_view no_space = "\\P{White_Space}";
// \w, as UTS #18 defines it; PCRE2 10.42 takes fewer.
constexpr std::string_view word = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
// Outside of a class Oniguruma takes Latin-1 from a table of its own, with its superscript digits
// and fractions.
constexpr std::string_view bare_word =
    "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}";

constexpr std::array<std::string_view, 37> categories = {
    "C",  "Cc", "Cf", "Cn", "Co", "Cs", "L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",
    "Mc", "Me", "Mn", "N",  "Nd", "Nl", "No", "P",  "Pc", "Pd", "Pe", "Pf", "Pi",
    "Po", "Ps", "S",  "Sc", "Sk", "Sm", "So", "Z",  "Zl", "Zp", "Zs"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// As a literal, in and outside of classes.
std::string quoted(std::string_view character) {
    const char c = character[0];
    const bool plain = character.size() > 1 || is_digit(c) || is_ascii_letter(c);
    return plain ? std::string(character)
                 : fmt::format("\\x{{{:x}}}", static_cast<unsigned char>(c));
}

class Translator {
  public:
    explicit Translator(std::string_view pattern) : pattern_(pattern) {}

    Pcre2Pattern run() {
        std::vector<std::pair<std::size_t, std::size_t>> elements;
        while (at_ < pattern_.size()) {
            elements.emplace_back(out_.size(), at_);
            element();
        }
        elements.emplace_back(out_.size(), at_);
        return {std::move(out_), std::move(elements)};
    }

  private:
    enum class Last { nothing, atom, quantifier };  // what a quantifier would come after

    // A member of a class: one character, or a set of them.
    struct Member {
        std::string text;
        bool single = true;
    };

    [[noreturn]] static void refuse(std::size_t offset, const std::string& reason) {
        throw PatternError(offset, reason);
    }

    bool next_is(std::string_view text, std::size_t ahead = 0) const {
        return pattern_.substr(std::min(at_ + ahead, pattern_.size())).starts_with(text);
    }

    std::string_view take_character() {
        const auto character = utf8::character_at(pattern_, at_);
        at_ += character.size();
        return character;
    }

    void atom(std::string_view text) {
        out_ += text;
        last_ = Last::atom;
    }

    void element() {
        switch (pattern_[at_]) {
            case '\\':
                return escape();
            case '[':
                return character_class();
            case '(':
                return group();
            case '|':
                ++at_;
                out_ += '|';
                last_ = Last::nothing;
                return;
            case '*':
            case '+':
            case '?':
                return quantifier(1, pattern_.substr(at_, 1), true);
            case '{':
                return interval();
            case '.':
            case '^':
            case '$':
            case ')':
                ++at_;
                return atom(pattern_.substr(at_ - 1, 1));
            default:
                return atom(quoted(take_character()));
        }
    }

    // `length`: of the quantifier in the pattern; `text`: PCRE2's form of it.
    void quantifier(std::size_t length, std::string_view text, bool simple) {
        if (last_ == Last::nothing) refuse(at_, "a quantifier that comes after nothing");
        if (last_ == Last::quantifier) refuse(at_, "a quantifier that comes after another one");
        at_ += length;
        out_ += text;
        last_ = Last::quantifier;
        if (next_is("?")) {
            // {n}? is "n times or never" to Oniguruma
            if (!simple && text.find(',') == text.npos) refuse(at_, "'?' after {n}");
            ++at_;
            out_ += '?';
        } else if (next_is("+")) {
            if (!simple) refuse(at_, "'+' after {n,m}");
            ++at_;
            out_ += '+';
        }
    }

    // {n}, {n,}, {,m}, {n,m}; any other brace is a character.
    void interval() {
        auto end = at_ + 1;
        const auto number = [&] {
            const auto begin = end;
            while (end < pattern_.size() && is_digit(pattern_[end])) ++end;
            return std::string(pattern_.substr(begin, end - begin));
        };
        const auto low = number();
        const bool comma = end < pattern_.size() && pattern_[end] == ',';
        if (comma) ++end;
        const auto high = comma ? number() : "";
        if (end >= pattern_.size() || pattern_[end] != '}' || (low.empty() && high.empty())) {
            return atom(quoted(take_character()));
        }
        const auto text =
            fmt::format("{{{}{}{}}}", low.empty() ? "0" : low, comma ? "," : "", high);
        quantifier(end + 1 - at_, text, false);
    }

    void group() {
        const auto begin = at_++;
        last_ = Last::nothing;
        if (!next_is("?")) {
            out_ += "(?:";
            return;
        }
        for (const std::string_view kind : {"?:", "?=", "?!", "?>", "?<=", "?<!", "?i:", "?-i:"}) {
            if (!next_is(kind)) continue;
            at_ += kind.size();
            (out_ += '(') += kind;
            return;
        }
        if (begin == 0 && next_is("?i)")) {  // later ones reach across '|' in Oniguruma only
            at_ += 3;
            out_ += "(?i)";
            return;
        }
        refuse(begin, fmt::format("the group '{}'; accepted: ( (?: (?= (?! (?> (?<= (?<! (?i: "
                                  "(?-i:, and (?i) in the first place",
                                  pattern_.substr(begin, 4)));
    }

    // Escapes that mean one character, in and outside of classes. Empty: it is none of those.
    std::string single_escape() {
        const char c = pattern_[at_ + 1];
        const std::string_view same = "nrtfae";
        if (same.find(c) != same.npos) {
            at_ += 2;
            return {'\\', c};
        }
        if (c == 'v') {  // PCRE2's \v is a set
            at_ += 2;
            return "\\x{b}";
        }
        if (c == 'x' || c == 'u') return hexadecimal();
        if (is_digit(c) || is_ascii_letter(c)) return "";
        ++at_;
        return quoted(take_character());
    }

    // \xHH (ASCII), \x{H...}, \uHHHH
    std::string hexadecimal() {
        const auto begin = at_;
        const bool braces = next_is("x{", 1);
        const std::size_t limit = braces ? 8 : pattern_[at_ + 1] == 'u' ? 4 : 2;
        at_ += braces ? 3 : 2;
        const auto digits = at_;
        while (at_ < pattern_.size() && at_ < digits + limit && is_hex(pattern_[at_])) ++at_;
        const std::string code(pattern_.substr(digits, at_ - digits));
        const bool closed = !braces || next_is("}");
        if (code.empty() || !closed || (limit == 4 && code.size() != 4)) {
            refuse(begin, "a character code that is none; accepted: \\x41, \\x{1F600}, \\u0041");
        }
        if (braces) ++at_;
        const auto value = std::stoul(code, nullptr, 16);
        if (limit == 2 && value > 0x7F) {
            refuse(begin, "\\x80 to \\xff, which mean bytes; write \\x{80}");
        }
        return fmt::format("\\x{{{:x}}}", value);
    }

    // \p{Name}, \P{Name}, \p{^Name}
    std::string property() {
        const auto begin = at_;
        const auto end = pattern_.find('}', at_);
        if (!next_is("{", 2) || end == pattern_.npos) {
            refuse(begin, "a property without braces; accepted: \\p{L}");
        }
        auto name = pattern_.substr(at_ + 3, end - at_ - 3);
        bool without = pattern_[at_ + 1] == 'P';
        if (name.starts_with('^')) {
            without = !without;
            name.remove_prefix(1);
        }
        at_ = end + 1;
        const auto is_name = [](char c) { return is_ascii_letter(c) || c == '_'; };
        if (name.empty() || !std::all_of(name.begin(), name.end(), is_name)) {
            refuse(begin, "a property whose name is not of letters");
        }
        const bool category =
            std::find(categories.begin(), categories.end(), name) != categories.end();
        // A script's bare name means its extensions, too, in PCRE2.
        return fmt::format("\\{}{{{}{}}}", without ? 'P' : 'p', category ? "" : "sc:", name);
    }

    // Escapes that mean a set of characters. Empty: it is none of those.
    std::string set_escape() {
        const char c = pattern_[at_ + 1];
        if (c == 'p' || c == 'P') return property();
        const auto known = c == 'd'   ? std::string_view("\\p{Nd}")
                           : c == 'D' ? std::string_view("\\P{Nd}")
                           : c == 's' ? space
                           : c == 'S' ? no_space
                                      : std::string_view();
        if (!known.empty()) at_ += 2;
        return std::string(known);
    }

    void escape() {
        if (at_ + 1 == pattern_.size()) refuse(at_, "a backslash at the end");
        const char c = pattern_[at_ + 1];
        if (c == 'A' || c == 'z' || c == 'Z') return take_as(fmt::format("\\{}", c));
        if (c == 'w') return take_as(fmt::format("[{}]", bare_word));
        if (c == 'W') return take_as(fmt::format("[^{}]", bare_word));
        if (c == 'b')
            return take_as(fmt::format("(?:(?<=[{0}])(?![{0}])|(?<![{0}])(?=[{0}]))", bare_word));
        if (c == 'B')
            return take_as(fmt::format("(?:(?<=[{0}])(?=[{0}])|(?<![{0}])(?![{0}]))", bare_word));
        const auto begin = at_;
        auto text = set_escape();
        if (text.empty()) text = single_escape();
        if (text.empty()) refuse(begin, fmt::format("the escape '\\{}'", c));
        atom(text);
    }

    void take_as(const std::string& text) {
        at_ += 2;
        atom(text);
    }

    Member class_escape() {
        if (at_ + 1 == pattern_.size()) refuse(at_, "a backslash at the end");
        const char c = pattern_[at_ + 1];
        if (c == 'w' || c == 'b') {
            at_ += 2;
            return c == 'w' ? Member{std::string(word), false} : Member{"\\x{8}"};
        }
        const auto begin = at_;
        if (auto set = set_escape(); !set.empty()) return {std::move(set), false};
        if (auto one = single_escape(); !one.empty()) return {std::move(one)};
        refuse(begin, fmt::format("the escape '\\{}' in a class", c));
    }

    Member member() {
        if (next_is("[")) refuse(at_, "'[' in a class (a nested or POSIX one); write \\[");
        if (next_is("&&")) refuse(at_, "'&&' in a class; write \\&");
        return next_is("\\") ? class_escape() : Member{quoted(take_character())};
    }

    void character_class() {
        const auto begin = at_++;
        out_ += '[';
        if (next_is("^")) {
            ++at_;
            out_ += '^';
        }
        if (next_is("]")) refuse(at_, "']' as the first of a class; write \\]");
        bool first = true;
        for (; !next_is("]"); first = false) {
            if (at_ >= pattern_.size()) refuse(begin, "a class without end");
            const bool last = next_is("-]");
            if (next_is("-") && !first && !last) refuse(at_, "'-' that is no range; write \\-");
            const auto from = member();
            out_ += from.text;
            if (!next_is("-") || next_is("-]")) continue;
            if (!from.single) refuse(at_, "'-' after a set in a class; write \\-");
            ++at_;
            if (at_ >= pattern_.size()) refuse(begin, "a class without end");
            const auto to = member();
            if (!to.single) refuse(at_, "a range that ends in a set");
            (out_ += '-') += to.text;
        }
        ++at_;
        atom("]");
    }

    std::string_view pattern_;
    std::size_t at_ = 0;
    std::string out_;
    Last last_ = Last::nothing;
};

}  // namespace

PatternError::PatternError(std::size_t offset, const std::string& reason)
    : std::runtime_error(fmt::format("at byte {} of the pattern: {}", offset, reason)) {}

std::size_t Pcre2Pattern::origin(std::size_t offset) const {
    std::size_t result = 0;
    for (const auto& [here, there] : elements) {
        if (here <= offset) result = there;
    }
    return result;
}

Pcre2Pattern to_pcre2(std::string_view pattern) {
    return Translator(pattern).run();
}

Pcre2Pattern literal_pattern(std::string_view text) {
    Pcre2Pattern result;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = utf8::character_at(text, at);
        result.elements.emplace_back(result.text.size(), at);
        result.text += quoted(character);
        at += character.size();
    }
    return result;
}

}  // namespace engine::format

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/shell_words.h"

#include <fmt/format.h>

namespace scenarios::build {

namespace {

class Splitter {
  public:
    explicit Splitter(std::string_view text) : text_(text) {}

    std::vector<std::string> split() {
        while (at_ < text_.size()) take();
        end_word();
        return std::move(words_);
    }

  private:
    void take() {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\n') {
            ++at_;
            end_word();
        } else if (c == '\'' || c == '"') {
            quoted(c);
        } else if (c == '\\') {
            escaped();
        } else {
            add(c);
            ++at_;
        }
    }

    void quoted(char quote) {
        const std::size_t start = at_++;
        in_word_ = true;  // '' is a word
        while (at_ < text_.size() && text_[at_] != quote) {
            if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                std::string_view("$`\"\\\n").find(text_[at_ + 1]) != std::string_view::npos)
                ++at_;
            add(text_[at_++]);
        }
        if (at_ == text_.size())
            throw ShellSyntax(
                fmt::format("the quote {} at character {} has no end", quote, start + 1));
        ++at_;
    }

    void escaped() {
        if (at_ + 1 == text_.size())
            throw ShellSyntax("a backslash ends the text; write \\\\ for one");
        add(text_[at_ + 1]);
        at_ += 2;
    }

    void add(char c) {
        in_word_ = true;
        word_ += c;
    }

    void end_word() {
        if (in_word_) words_.push_back(word_);
        word_.clear();
        in_word_ = false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> words_;
    std::string word_;
    bool in_word_ = false;
};

}  // namespace

std::vector<std::string> shell_words(std::string_view text) {
    return Splitter(text).split();
}

}  // namespace scenarios::build

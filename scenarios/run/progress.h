// SPDX-License-Identifier: Apache-2.0
// What a person sees while a run goes on, always on stderr: one line that rewrites itself on a
// terminal, plain lines elsewhere, nothing with --quiet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace scenarios::run {

class Progress {
  public:
    enum class Style : std::uint8_t { terminal, lines, quiet };

    explicit Progress(Style style) : style_(style) {}

    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    static Style style_of_stderr(bool quiet);

    void step(const std::string& text);    // replaces the step before on a terminal
    void notice(const std::string& text);  // stays

  private:
    void clear_line();

    Style style_;
    bool line_open_ = false;
};

// "prefill-4k: trial 2 of 5 (round 1 of 3, timed, arm dense), about 24 s left". Time left is the
// mean of the trials before times those to come; unknown before the first one ended.
struct Step {
    std::string scenario;
    std::size_t trial = 0, trials = 0;  // trial from 0
    int round = 0, rounds = 0;          // round from 0
    std::string mode;
    std::string arm;       // empty: there is one
    double elapsed_s = 0;  // of the trials before
};

std::string step_text(const Step& step);

}  // namespace scenarios::run

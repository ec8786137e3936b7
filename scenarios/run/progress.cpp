// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "engine/format/printable.h"

namespace scenarios::run {

Progress::Style Progress::style_of_stderr(bool quiet) {
    if (quiet) return Style::quiet;
    return isatty(STDERR_FILENO) != 0 ? Style::terminal : Style::lines;
}

Progress::~Progress() {
    clear_line();
}

void Progress::clear_line() {
    if (line_open_) std::fputs("\r\x1b[K", stderr);
    line_open_ = false;
    std::fflush(stderr);
}

// A stderr that is closed or full must not end a run: what cannot be said is not.
void Progress::step(const std::string& text) {
    if (style_ == Style::quiet) return;
    const bool lines = style_ == Style::lines;
    const std::string shown = engine::format::printable_lines(text);
    std::fputs((lines ? "tare: " + shown + "\n" : "\r\x1b[K" + shown).c_str(), stderr);
    line_open_ = !lines;
    std::fflush(stderr);
}

void Progress::notice(const std::string& text) {
    if (style_ == Style::quiet) return;
    clear_line();
    std::fputs(("tare: " + engine::format::printable_lines(text) + "\n").c_str(), stderr);
    std::fflush(stderr);
}

std::string step_text(const Step& step) {
    std::string text = fmt::format("{}: trial {} of {} (round {} of {}, {}{})", step.scenario,
                                   step.trial + 1, step.trials, step.round + 1, step.rounds,
                                   step.mode, step.arm.empty() ? "" : ", arm " + step.arm);
    if (step.trial > 0) {
        const double each_s = step.elapsed_s / static_cast<double>(step.trial);
        const double left_s = each_s * static_cast<double>(step.trials - step.trial);
        text += fmt::format(", about {:.0f} s left", std::ceil(left_s));
    }
    return text;
}

}  // namespace scenarios::run

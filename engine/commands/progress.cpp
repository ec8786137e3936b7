// SPDX-License-Identifier: Apache-2.0
// Lines about the share done and the time left.
#include "engine/commands/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "engine/commands/output.h"
#include "engine/format/printable.h"

namespace engine::commands {
namespace {

constexpr double interval_s = 3;
constexpr double terminal_interval_s = 0.2;
constexpr auto clear_line = "\r\x1b[K";

}  // namespace

std::optional<std::string> ProgressLines::at(double seconds,
                                             std::uint64_t done,
                                             std::uint64_t total) {
    if (seconds < next_s_ || done == 0 || done >= total) return std::nullopt;
    next_s_ = seconds + interval_s_;
    has_spoken_ = true;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    return fmt::format("{}: {:.0f} % of {:.2f} GB, {:.0f} s left", what_, 100 * share,
                       static_cast<double>(total) / 1e9, seconds * (1 - share) / share);
}

Progress::Progress(const std::string& what)
    : terminal_(::isatty(STDERR_FILENO) == 1),
      lines_(what, terminal_ ? terminal_interval_s : interval_s) {}

Progress::~Progress() {
    if (terminal_ && lines_.has_spoken()) std::fputs(clear_line, stderr);
}

void Progress::at(std::uint64_t done, std::uint64_t total) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    const auto line = lines_.at(passed.count(), done, total);
    if (!line) return;
    if (!terminal_) return say(*line);
    std::fputs((clear_line + format::printable(*line)).c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace engine::commands

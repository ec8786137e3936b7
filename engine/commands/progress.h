// SPDX-License-Identifier: Apache-2.0
// How far long work is, on stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace engine::commands {

// When a line is due, and what it says. Work of less than 2 s says nothing.
class ProgressLines {
  public:
    ProgressLines(std::string what, double interval_s) : what_(what), interval_s_(interval_s) {}

    // "WHAT: 37 % of 19.82 GB, 16 s left", or none: not due yet.
    std::optional<std::string> at(double seconds, std::uint64_t done, std::uint64_t total);

    bool has_spoken() const { return has_spoken_; }

  private:
    std::string what_;
    double interval_s_;
    double next_s_ = 2;
    bool has_spoken_ = false;
};

// On a terminal one line that changes and goes with the object, elsewhere a line every few seconds.
class Progress {
  public:
    explicit Progress(const std::string& what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(std::uint64_t done, std::uint64_t total);

  private:
    bool terminal_;
    ProgressLines lines_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace engine::commands

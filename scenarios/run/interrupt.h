// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP as something a loop can wait for, so that a run ends by saving what it
// has.
#pragma once

#include <array>
#include <csignal>

namespace scenarios::run {

// While one of these lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process (a
// SIGHUP that nohup made ignored stays so), and a write to a closed pipe is an error code instead
// of SIGPIPE. At most one at a time.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool raised() const;
    int fd() const;  // becomes readable when a signal came, and stays so

  private:
    std::array<struct sigaction, 3> before_{};

    struct sigaction pipe_before_ {};
};

}  // namespace scenarios::run

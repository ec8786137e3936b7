// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM as something a loop can wait for, so that a run ends by saving what it has.
#pragma once

namespace scenarios::run {

// While one of these lives, SIGINT and SIGTERM are noted instead of ending the process, and a
// write to a closed pipe is an error code instead of SIGPIPE. At most one at a time.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool raised() const;
    int fd() const;  // becomes readable when a signal came, and stays so
};

}  // namespace scenarios::run

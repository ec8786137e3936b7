// SPDX-License-Identifier: Apache-2.0
// fork and exec: a child in its own process group, its outputs on pipes.
#pragma once

#include <sys/types.h>

#include <string>

#include "scenarios/run/process.h"

namespace scenarios::run {

// A file descriptor that closes itself.
class Fd {
  public:
    explicit Fd(int fd = -1) : fd_(fd) {}

    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;

    Fd(Fd&& other) noexcept : fd_(other.release()) {}

    Fd& operator=(Fd&& other) noexcept;

    ~Fd() { reset(); }

    int get() const { return fd_; }

    int release();
    void reset();

  private:
    int fd_;
};

struct Child {
    pid_t pid = 0;
    Fd out, err;        // read ends, non-blocking
    std::string error;  // why it did not start; then pid is 0
};

Child spawn(const Command& command);

}  // namespace scenarios::run

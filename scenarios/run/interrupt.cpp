// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace scenarios::run {

namespace {

// A signal handler can reach nothing but globals.
volatile std::sig_atomic_t signal_seen = 0;
int wake_up[2] = {-1, -1};

void note_signal(int) {
    const int saved = errno;
    signal_seen = 1;
    // The pipe is non-blocking: when it is full, the reader has been woken up already.
    [[maybe_unused]] const auto written = write(wake_up[1], "!", 1);
    errno = saved;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};

    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
    signal_seen = 0;
    if (pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::runtime_error("no pipe for signals: too many open files");
    handle(SIGINT, note_signal);
    handle(SIGTERM, note_signal);
    handle(SIGPIPE, SIG_IGN);
}

Interrupt::~Interrupt() {
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    handle(SIGPIPE, SIG_DFL);
    for (int& end : wake_up) {
        close(end);
        end = -1;
    }
}

bool Interrupt::raised() const {
    return signal_seen != 0;
}

int Interrupt::fd() const {
    return wake_up[0];
}

}  // namespace scenarios::run

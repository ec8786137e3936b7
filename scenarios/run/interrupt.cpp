// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace scenarios::run {

namespace {

constexpr std::array noted = {SIGINT, SIGTERM, SIGHUP};
constexpr std::size_t hang_up = 2;

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

// What `signal` did before.
struct sigaction handle(int signal, void (*handler)(int)) {
    struct sigaction action {
    }, before{};

    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &before);
    return before;
}

}  // namespace

Interrupt::Interrupt() {
    signal_seen = 0;
    if (pipe2(wake_up, O_CLOEXEC | O_NONBLOCK) != 0)
        throw std::runtime_error("no pipe for signals: too many open files");
    for (std::size_t i = 0; i < noted.size(); ++i) before_[i] = handle(noted[i], note_signal);
    // nohup asks for a run that outlives its terminal.
    if (before_[hang_up].sa_handler == SIG_IGN) handle(SIGHUP, SIG_IGN);
    pipe_before_ = handle(SIGPIPE, SIG_IGN);
}

Interrupt::~Interrupt() {
    for (std::size_t i = 0; i < noted.size(); ++i) sigaction(noted[i], &before_[i], nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
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

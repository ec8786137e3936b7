// SPDX-License-Identifier: Apache-2.0
// A handler of SIGBUS.
#include "engine/commands/bus_error.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>

namespace engine::commands {
namespace {

constexpr int exit_usage = 2;

// Only what is safe in a signal handler.
void explain(int) {
    constexpr const char* text =
        "tare-engine: a weight file could not be read where it is mapped (SIGBUS): it became "
        "shorter while it was in use, or its disk failed; leave model files alone while they are "
        "in use, or get this one anew\n";
    const auto ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(ignored);
    ::_exit(exit_usage);
}

}  // namespace

void explain_bus_errors() {
    struct sigaction action {};

    action.sa_handler = explain;
    ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// Descriptors 0 to 2, SIGPIPE, and the flush that notices losses.
#include "engine/format/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace engine::format {

namespace {

constexpr int exit_invalid = 4;

bool says_no_worse(int code) {
    return code == 0 || code == 1 || code == 3;  // done, a verdict, inconclusive
}

}  // namespace

void open_standard_streams() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1) continue;
        const int wrong_way = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        const int opened = ::open("/dev/null", wrong_way);  // the lowest free number: this one
        static_cast<void>(opened);                          // without /dev it stays closed
    }
    std::signal(SIGPIPE, SIG_IGN);
}

OutputLost::OutputLost(int error)
    : std::runtime_error(fmt::format(
          "stdout: {}; results are incomplete. Free space where it goes, or send it elsewhere",
          error == 0       ? "an earlier write failed"
          : error == EBADF ? "closed, or not open for writing"
                           : std::strerror(error))),
      reader_gone(error == EPIPE) {}

void write_stdout(std::string_view text) {
    errno = 0;
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw OutputLost(errno);
}

std::optional<OutputLost> lost_output() {
    errno = 0;
    if (std::fflush(stdout) != 0) return OutputLost(errno);
    if (std::ferror(stdout) != 0) return OutputLost(0);
    return std::nullopt;
}

int exit_code_of_output(std::string_view program, int code) {
    const auto lost = lost_output();
    if (!lost || !says_no_worse(code)) return code;
    if (!lost->reader_gone) fmt::print(stderr, "{}: {}\n", program, lost->what());
    return exit_invalid;
}

}  // namespace engine::format

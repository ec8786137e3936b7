// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace scenarios::run {

namespace {

struct Pipe {
    Fd read, write;

    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            throw std::runtime_error(
                fmt::format("no pipe for a process: {}", std::strerror(errno)));
        read = Fd(ends[0]);
        write = Fd(ends[1]);
    }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
}

// In the child: only async-signal-safe calls from here on. Never returns.
[[noreturn]] void become(char* const* argv,
                         char* const* environment,
                         const char* directory,
                         pid_t parent,
                         int out,
                         int err,
                         int failure) {
    setpgid(0, 0);
    // A killed harness leaves no engine behind that would disturb the next measurement.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (*directory == '\0' || chdir(directory) == 0) execve(argv[0], argv, environment);
    const int error = errno;
    [[maybe_unused]] const auto written = write(failure, &error, sizeof error);
    _exit(127);
}

void make_non_blocking(const Fd& fd) {
    fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = other.release();
    }
    return *this;
}

int Fd::release() {
    return std::exchange(fd_, -1);
}

void Fd::reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
}

Child spawn(const Command& command) {
    const auto argv = pointers(command.argv);
    const auto environment = pointers(command.environment);
    Pipe out, err, failure;
    Child child;
    const pid_t parent = getpid();
    child.pid = fork();
    if (child.pid < 0)
        throw std::runtime_error(fmt::format("no new process: {}", std::strerror(errno)));
    if (child.pid == 0)
        become(argv.data(), environment.data(), command.directory.c_str(), parent, out.write.get(),
               err.write.get(), failure.write.get());
    setpgid(child.pid, child.pid);  // here too: whichever of the two runs first
    failure.write.reset();
    int error = 0;
    // Closed by a successful exec, so this waits until the program runs or could not be started.
    if (read(failure.read.get(), &error, sizeof error) == sizeof error) {
        waitpid(child.pid, nullptr, 0);
        child.pid = 0;
        child.error = std::strerror(error);
        return child;
    }
    child.out = std::move(out.read);
    child.err = std::move(err.read);
    make_non_blocking(child.out);
    make_non_blocking(child.err);
    return child;
}

}  // namespace scenarios::run

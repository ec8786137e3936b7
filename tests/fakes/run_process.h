// SPDX-License-Identifier: Apache-2.0
// Runs a program as a user would, and hands back all that it did.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fakes {

struct Result {
    std::string out;
    std::string err;
    int exit_code = -1;      // -1: it was ended by a signal
    int signal = 0;          // the signal that ended it, 0: none
    bool timed_out = false;  // it and its process group were killed at the time limit
};

struct RunOptions {
    std::vector<std::pair<std::string, std::string>> env = {};  // set on top of this process's own
    double timeout_s = 60;
    std::string stdin_text = {};
    std::string directory = {};  // working directory; empty: this process's
};

namespace detail {

struct Pipe {
    int read = -1;
    int write = -1;

    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            throw std::runtime_error("pipe2 failed");
        }
        read = ends[0];
        write = ends[1];
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    ~Pipe() {
        close_end(read);
        close_end(write);
    }

    static void close_end(int& end) {
        if (end >= 0) {
            ::close(end);
        }
        end = -1;
    }
};

[[noreturn]] inline void become(const std::vector<std::string>& argv,
                                const RunOptions& options,
                                Pipe& in,
                                Pipe& out,
                                Pipe& err) {
    setpgid(0, 0);
    dup2(in.read, 0);
    dup2(out.write, 1);
    dup2(err.write, 2);
    for (const auto& [key, value] : options.env) {
        setenv(key.c_str(), value.c_str(), 1);
    }
    if (!options.directory.empty() && chdir(options.directory.c_str()) != 0) {
        _exit(127);
    }
    std::vector<char*> arguments;
    for (const auto& argument : argv) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

// Moves bytes until both outputs are closed. False: the time limit came first.
inline bool pump(Pipe& in,
                 Pipe& out,
                 Pipe& err,
                 std::string input,
                 Result& result,
                 std::chrono::steady_clock::time_point deadline) {
    char buffer[65536];
    while (out.read >= 0 || err.read >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) {
            return false;
        }
        if (input.empty()) {
            Pipe::close_end(in.write);
        }
        pollfd ends[] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}};
        poll(ends, 3, static_cast<int>(left.count()));
        if (ends[2].revents != 0) {
            const auto count = ::write(in.write, input.data(), input.size());
            input.erase(0, count < 0 ? input.size() : static_cast<std::size_t>(count));
        }
        for (int i = 0; i < 2; ++i) {
            auto& end = i == 0 ? out.read : err.read;
            if (ends[i].revents == 0) {
                continue;
            }
            const auto count = ::read(end, buffer, sizeof buffer);
            if (count <= 0) {
                Pipe::close_end(end);
            } else {
                (i == 0 ? result.out : result.err).append(buffer, static_cast<std::size_t>(count));
            }
        }
    }
    return true;
}

}  // namespace detail

// argv[0] is looked up in PATH. Exit code 127: it could not be started.
// Throws std::runtime_error if no process can be made.
inline Result run(const std::vector<std::string>& argv, const RunOptions& options = {}) {
    using clock = std::chrono::steady_clock;
    signal(SIGPIPE, SIG_IGN);  // a program may end before it has read all its input
    detail::Pipe in, out, err;
    const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(
                                             std::chrono::duration<double>(options.timeout_s));
    const auto child = fork();
    if (child < 0) {
        throw std::runtime_error("fork failed");
    }
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        detail::become(argv, options, in, out, err);
    }
    setpgid(child, child);  // also here: whoever runs first
    detail::Pipe::close_end(in.read);
    detail::Pipe::close_end(out.write);
    detail::Pipe::close_end(err.write);
    fcntl(in.write, F_SETFL, O_NONBLOCK);  // a full pipe must not keep us from reading

    Result result;
    result.timed_out = !detail::pump(in, out, err, options.stdin_text, result, deadline);
    if (result.timed_out) {
        kill(-child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return result;
}

}  // namespace fakes

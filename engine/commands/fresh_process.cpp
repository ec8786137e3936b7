// SPDX-License-Identifier: Apache-2.0
// A child that writes into a pipe.
#include "engine/commands/fresh_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace engine::commands {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error("fresh process: " + what);
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}

    ~Descriptor() { close_now(); }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

    void close_now() {
        if (number_ >= 0) close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

// As this process got them.
std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> arguments;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\0', begin), text.size());
        arguments.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return arguments;
}

pid_t start(std::vector<std::string> arguments, int output) {
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        fail(fmt::format("cannot be started: {}", std::strerror(error)));
    }
    return child;
}

// Fills `bytes`; gives how many came, and one more if there are too many.
std::size_t read_all(int from, std::span<std::byte> bytes) {
    std::size_t count = 0;
    std::byte beyond{};
    while (count <= bytes.size()) {
        const bool full = count == bytes.size();
        const auto got =
            full ? read(from, &beyond, 1) : read(from, bytes.data() + count, bytes.size() - count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        count += static_cast<std::size_t>(got);
    }
    return count;
}

void wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) fail(fmt::format("lost: {}", std::strerror(errno)));
    }
    if (WIFSIGNALED(status)) {
        fail(fmt::format("ended by signal {}", WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) != 0) {
        fail(fmt::format("ended with exit code {}; its message is above", WEXITSTATUS(status)));
    }
}

}  // namespace

void record_in_fresh_process(checks::Recording& recording) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail(fmt::format("no pipe: {}", std::strerror(errno)));
    }
    Descriptor from(ends[0]), to(ends[1]);
    auto arguments = own_arguments();
    arguments.push_back(std::string("--") + record_only_option);
    const pid_t child = start(std::move(arguments), to.number());
    to.close_now();
    const auto count = read_all(from.number(), recording.bytes());
    from.close_now();  // one that writes too much must not wait for us
    wait_for(child);
    if (count != recording.bytes().size()) {
        fail(fmt::format("gave {} bytes, expected {}", count, recording.bytes().size()));
    }
}

void print_recording(checks::Recording recording) {
    const auto bytes = recording.bytes();
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() ||
        std::fflush(stdout) != 0) {
        throw std::runtime_error(fmt::format("stdout: {}", std::strerror(errno)));
    }
}

}  // namespace engine::commands

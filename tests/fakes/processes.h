// SPDX-License-Identifier: Apache-2.0
// Processes that are still there, and processes that a test stops half-way.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fakes {

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// How many live processes run `program` with `word` in their arguments or environment.
inline int running(const std::string& program, const std::string& word) {
    int count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const auto exe = std::filesystem::read_symlink(entry.path() / "exe", error);
        if (error || exe != program) continue;
        const bool ours = text_of(entry.path() / "environ").find(word) != std::string::npos ||
                          text_of(entry.path() / "cmdline").find(word) != std::string::npos;
        const std::string stat = text_of(entry.path() / "stat");
        count += ours && stat.find(") Z ") == std::string::npos;
    }
    return count;
}

// The same once those that were just killed had two seconds to go.
inline int processes_of(const std::string& program, const std::string& word) {
    const std::string real = std::filesystem::canonical(program).string();
    for (int i = 0; i < 200 && running(real, word) > 0; ++i) usleep(10'000);
    return running(real, word);
}

// A process in a group of its own whose output goes to a file.
class Started {
  public:
    Started(const std::vector<std::string>& argv,
            const std::vector<std::pair<std::string, std::string>>& env,
            const std::string& output) {
        pid_ = fork();
        if (pid_ == 0) become(argv, env, output);
        setpgid(pid_, pid_);
    }

    ~Started() {
        if (pid_ <= 0) return;
        kill(-pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    pid_t pid() const { return pid_; }

    // The status of wait(2), or -1 when it still runs after `limit_s`.
    int wait_for_end(double limit_s) {
        int status = 0;
        for (int i = 0; i < limit_s * 500; ++i, usleep(2'000)) {
            if (waitpid(pid_, &status, WNOHANG) != pid_) continue;
            pid_ = 0;
            return status;
        }
        return -1;
    }

  private:
    [[noreturn]] static void become(const std::vector<std::string>& argv,
                                    const std::vector<std::pair<std::string, std::string>>& env,
                                    const std::string& output) {
        setpgid(0, 0);
        const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(out, 1);
        dup2(out, 2);
        for (const auto& [key, value] : env) setenv(key.c_str(), value.c_str(), 1);
        std::vector<char*> arguments;
        for (const auto& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        execv(arguments[0], arguments.data());
        _exit(127);
    }

    pid_t pid_ = 0;
};

// A child of `parent`, or 0.
inline pid_t child_of(pid_t parent) {
    const std::string id = std::to_string(parent);
    std::ifstream children("/proc/" + id + "/task/" + id + "/children");
    pid_t child = 0;
    children >> child;
    return child;
}

}  // namespace fakes

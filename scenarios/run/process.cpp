// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits>

#include "scenarios/run/clock.h"
#include "scenarios/run/spawn.h"

namespace scenarios::run {

namespace {

constexpr std::size_t longest_line_bytes = 1 << 20;
constexpr std::int64_t ns_per_s = 1'000'000'000;

// One process from its start to its end.
class Session {
  public:
    Session(Child child, const Watch& watch, Exit& exit)
        : child_(std::move(child)),
          watch_(watch),
          exit_(exit),
          pidfd_(static_cast<int>(syscall(SYS_pidfd_open, child_.pid, 0))),
          last_output_ns_(exit.spawn_raw_ns),
          next_tick_ns_(exit.spawn_raw_ns) {}

    void run() {
        while (!ended()) {
            const std::int64_t now = raw_now_ns();
            tick(now);
            if (const auto end = breach(now)) {
                exit_.end = *end;
                kill(-child_.pid, SIGKILL);
                wait_for_end();
                break;
            }
            wait_for_something(now);
            drain();
        }
        kill(-child_.pid, SIGKILL);  // whatever the process left running
        drain();
    }

  private:
    bool ended() {
        int status = 0;
        if (waitpid(child_.pid, &status, WNOHANG) != child_.pid) return false;
        note_end(status);
        return true;
    }

    void wait_for_end() {
        int status = 0;
        while (waitpid(child_.pid, &status, 0) < 0 && errno == EINTR) {
        }
        note_end(status);
    }

    void note_end(int status) {
        exit_.exit_raw_ns = raw_now_ns();
        if (WIFEXITED(status)) exit_.exit_code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) exit_.signal = WTERMSIG(status);
    }

    void tick(std::int64_t now) {
        if (!watch_.on_tick || now < next_tick_ns_) return;
        watch_.on_tick(child_.pid);
        next_tick_ns_ = now + watch_.tick_ns;
    }

    std::int64_t silence_deadline_ns() {
        const double allowed_s = watch_.silence_limit_s ? watch_.silence_limit_s() : 0;
        if (!(allowed_s > 0)) return std::numeric_limits<std::int64_t>::max();
        exit_.limit_s = allowed_s;
        return last_output_ns_ + static_cast<std::int64_t>(allowed_s * ns_per_s);
    }

    std::int64_t time_deadline_ns() const {
        return exit_.spawn_raw_ns + static_cast<std::int64_t>(watch_.time_limit_s * ns_per_s);
    }

    std::optional<End> breach(std::int64_t now) {
        if (stopped_) return End::stopped;
        if (out_bytes_ > stdout_limit_bytes) return End::too_much_output;
        if (now >= silence_deadline_ns()) return End::silent;
        exit_.limit_s = watch_.time_limit_s;
        if (now >= time_deadline_ns()) return End::time_limit;
        return std::nullopt;
    }

    void wait_for_something(std::int64_t now) {
        std::int64_t until = std::min(time_deadline_ns(), silence_deadline_ns());
        if (watch_.on_tick) until = std::min(until, next_tick_ns_);
        // Without pidfd_open (Linux < 5.3) the end is seen by looking every 5 ms.
        if (pidfd_.get() < 0) until = std::min(until, now + 5'000'000);
        const std::int64_t wait_ms =
            std::clamp<std::int64_t>((until - now) / 1'000'000 + 1, 0, 60'000);
        pollfd fds[] = {{child_.out.get(), POLLIN, 0},
                        {child_.err.get(), POLLIN, 0},
                        {pidfd_.get(), POLLIN, 0},
                        {watch_.stop_fd, POLLIN, 0}};
        if (poll(fds, 4, static_cast<int>(wait_ms)) > 0 && fds[3].revents != 0) stopped_ = true;
    }

    void drain() {
        drain_one(child_.out, [this](std::string_view chunk) { take_out(chunk); });
        drain_one(child_.err, [this](std::string_view chunk) { take_err(chunk); });
    }

    template <class Take>
    void drain_one(Fd& fd, Take take) {
        char buffer[65536];
        while (fd.get() >= 0 && out_bytes_ <= stdout_limit_bytes) {
            const ssize_t count = read(fd.get(), buffer, sizeof buffer);
            if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fd.reset();
            if (count <= 0) return;
            last_output_ns_ = raw_now_ns();
            take(std::string_view(buffer, static_cast<std::size_t>(count)));
        }
    }

    void take_out(std::string_view chunk) {
        out_bytes_ += static_cast<std::int64_t>(chunk.size());
        if (watch_.on_out) watch_.on_out(chunk);
        if (!watch_.on_line) return;
        for (const char c : chunk) {
            if (c != '\n') {
                if (line_.size() < longest_line_bytes) line_ += c;
                continue;
            }
            watch_.on_line(line_);
            line_.clear();
        }
    }

    void take_err(std::string_view chunk) {
        std::string& tail = exit_.stderr_tail;
        tail += chunk;
        if (tail.size() > stderr_tail_bytes) tail.erase(0, tail.size() - stderr_tail_bytes);
    }

    Child child_;
    const Watch& watch_;
    Exit& exit_;
    Fd pidfd_;
    std::int64_t last_output_ns_;
    std::int64_t next_tick_ns_;
    std::int64_t out_bytes_ = 0;
    std::string line_;
    bool stopped_ = false;
};

}  // namespace

Exit run_process(const Command& command, const Watch& watch) {
    Exit exit;
    exit.start_real_ns = real_now_ns();
    exit.spawn_raw_ns = raw_now_ns();
    Child child = spawn(command);
    if (child.pid == 0) {
        exit.end = End::not_started;
        exit.error = child.error;
        exit.exit_raw_ns = raw_now_ns();
        return exit;
    }
    exit.pid = child.pid;
    try {
        Session(std::move(child), watch, exit).run();
    } catch (...) {  // the caller's own, e.g. a file that cannot be written
        kill(-exit.pid, SIGKILL);
        waitpid(exit.pid, nullptr, 0);
        throw;
    }
    return exit;
}

}  // namespace scenarios::run

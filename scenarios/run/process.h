// SPDX-License-Identifier: Apache-2.0
// Starts one process under test in its own process group, watches it, and says how it ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios::run {

struct Command {
    std::vector<std::string> argv;         // argv[0] is a path
    std::vector<std::string> environment;  // "KEY=value", the whole of it
    std::string directory = {};            // it starts there; empty: where we are
};

// What the caller wants to hear about while the process runs. All are optional.
struct Watch {
    double time_limit_s = 60;                       // whole process; its group is killed then
    std::function<double()> silence_limit_s;        // seconds without output allowed now; 0: any
    int stop_fd = -1;                               // readable: kill the group and return
    std::function<void(std::string_view)> on_out;   // every chunk of stdout, as read
    std::function<void(std::string_view)> on_line;  // every complete line of stdout
    std::function<void(pid_t)> on_tick;             // each `tick_ns`, and once at the start
    std::int64_t tick_ns = 0;
};

enum class End : std::uint8_t {
    exited,           // by itself, or by somebody else's signal
    not_started,      // exec failed; `error` says why
    time_limit,       // killed by us
    silent,           // killed by us: no output for longer than allowed
    too_much_output,  // killed by us: more than stdout_limit_bytes
    stopped,          // killed by us: stop_fd
};

constexpr std::size_t stderr_tail_bytes = 64 << 10;
constexpr std::int64_t stdout_limit_bytes = std::int64_t{64} << 20;

struct Exit {
    End end = End::exited;
    std::string error;             // of `not_started`
    std::optional<int> exit_code;  // null: ended by a signal
    std::optional<int> signal;     // also when the signal was ours
    pid_t pid = 0;
    double limit_s = 0;             // the limit that struck, of `time_limit` and `silent`
    std::int64_t spawn_raw_ns = 0;  // just before the process was made
    std::int64_t exit_raw_ns = 0;   // when its end was seen
    std::int64_t start_real_ns = 0;
    std::string stderr_tail;  // last stderr_tail_bytes
};

// Returns when the process has ended; what is left of its group is killed. stdin is empty. The
// process dies with this one. Throws std::runtime_error when no pipe or process can be made.
Exit run_process(const Command& command, const Watch& watch);

}  // namespace scenarios::run

// SPDX-License-Identifier: Apache-2.0
// Start, fork and exit of the probe in a traced process.
#include "probes/nvtx/probe.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "probes/cupti/gpu_status.h"
#include "probes/nvtx/clock.h"
#include "probes/nvtx/collector.h"
#include "probes/nvtx/ranges.h"
#include "probes/nvtx/thread.h"

namespace probes::nvtx {
namespace {

// Never destroyed: other threads may be in a callback until the very end.
struct Probe {
    explicit Probe(capture::Writer writer) : collector(std::move(writer)) {}

    Registry registry;
    Settings settings;
    Collector collector;
    pid_t pid = ::getpid();
    std::atomic<bool> is_closed{false};
    std::atomic<bool> has_cuda_called{false};
};

enum class State { fresh, starting, tracing, off };

constinit std::atomic<State> state{State::fresh};
constinit std::atomic<pid_t> starting_pid{0};
constinit std::atomic<bool> is_forked_child{false};
constinit Probe* probe = nullptr;

void say(const std::string& what) {
    ::dprintf(STDERR_FILENO, "tare-probe: %s\n", what.c_str());
}

std::int64_t real_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::string host_name() {
    char name[HOST_NAME_MAX + 1] = {};
    ::gethostname(name, HOST_NAME_MAX);
    for (char& letter : name) {
        letter = letter == '/' ? '_' : letter;
    }
    return name[0] == '\0' ? "localhost" : name;
}

cupti::GpuStatus current_status(const Settings& settings, bool has_cuda_called) {
    if (settings.fault_kind == FaultKind::invalid) {
        return {.status = "fault_invalid", .reason = settings.complaint};
    }
    return cupti::find_gpu_status(has_cuda_called);
}

// <folder>/<host>.<pid>.capture; a process that replaced itself by exec() has the pid of what it
// was before, and gets a number more.
std::optional<capture::Writer> create_capture(const Settings& settings) {
    const cupti::GpuStatus gpu = current_status(settings, false);
    const capture::ProcessInfo process{
        .format_version = capture::format_version,
        .pid = static_cast<std::uint32_t>(::getpid()),
        .host = host_name(),
        .start_raw_ns = now_ns(),
        .start_real_ns = real_ns(),
        .status = gpu.status,
        .status_reason = gpu.reason,
        .fault = settings.fault,
    };
    const std::string stem =
        settings.folder + "/" + process.host + "." + std::to_string(process.pid);
    for (int turn = 1; turn < 1000; ++turn) {
        const std::string number = turn == 1 ? "" : "." + std::to_string(turn);
        const std::string file = stem + number + capture::file_extension;
        if (std::optional<capture::Writer> writer = capture::Writer::create(file, process)) {
            return writer;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return std::nullopt;
}

// At exit, after main() and before the destructors of objects older than the first NVTX call.
void close_probe() {
    if (is_forked_child.load() || probe->pid != ::getpid() || probe->is_closed.exchange(true)) {
        return;
    }
    // The capture may have reached the limit of a file's size; that must not kill a program now.
    sigset_t over_limit;
    ::sigemptyset(&over_limit);
    ::sigaddset(&over_limit, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &over_limit, nullptr);
    stop_visits();
    try {
        const cupti::GpuStatus gpu = current_status(probe->settings, probe->has_cuda_called.load());
        probe->collector.close(gpu.status, gpu.reason, probe->settings.fault_kind);
    } catch (...) {  // no memory: the capture stays without its closing block
    }
}

// A forked child goes inert: it has no writer thread, and the file is its parent's.
void after_fork_in_child() {
    is_forked_child.store(true);
    stop_visits_in_child();
}

void close_open_of(Thread& thread) {
    const std::int64_t end_ns = now_ns();
    while (close_innermost(thread, end_ns)) {
    }
}

std::size_t ring_cells(std::size_t records) {
    constexpr std::size_t cells_of_op = 2;
    return std::bit_ceil(records * cells_of_op);
}

bool start() {
    Settings settings = read_settings();
    const std::string untraced = "process " + std::to_string(::getpid()) + " goes on untraced: ";
    if (!settings.complaint.empty()) {
        say(settings.complaint);
    }
    if (settings.folder.empty()) {
        say(untraced + "TARE_PROBE_OUT is not set; set it to a folder that can be written");
        return false;
    }
    std::optional<capture::Writer> writer = create_capture(settings);
    if (!writer) {
        say(untraced + "no capture file in TARE_PROBE_OUT=" + settings.folder + ": " +
            std::strerror(errno));
        return false;
    }
    probe = new Probe(std::move(*writer));
    probe->settings = std::move(settings);
    if (!prepare_ranges() ||
        !prepare_threads({.at_end = close_open_of, .after_end = wake_writer},
                         ring_cells(probe->settings.ring_records)) ||
        ::pthread_atfork(nullptr, nullptr, after_fork_in_child) != 0 || !probe->collector.start()) {
        say(untraced + "no memory or no thread for the probe");
        return false;
    }
    std::atexit(close_probe);
    return true;
}

}  // namespace

bool start_probe() noexcept {
    static constinit thread_local bool is_inside = false;
    if (is_forked_child.load() || is_inside) {
        return false;
    }
    State expected = State::fresh;
    if (state.compare_exchange_strong(expected, State::starting)) {
        starting_pid.store(::getpid());
        is_inside = true;
        bool is_tracing = false;
        try {
            is_tracing = start();
        } catch (...) {
            say("no memory: going on untraced");
        }
        is_inside = false;
        state.store(is_tracing ? State::tracing : State::off);
    }
    while (state.load() == State::starting) {
        if (starting_pid.load() != 0 && starting_pid.load() != ::getpid()) {
            return false;  // forked while another thread was at it: nobody will finish here
        }
        ::sched_yield();
    }
    return state.load() == State::tracing;
}

void note_cuda() noexcept {
    probe->has_cuda_called.store(true);
}

Registry& registry() {
    return probe->registry;
}

const Settings& settings() {
    return probe->settings;
}

}  // namespace probes::nvtx

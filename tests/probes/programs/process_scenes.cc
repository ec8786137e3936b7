// SPDX-License-Identifier: Apache-2.0
// Ends, forks and execs; things programs do to whoever lives in their process.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/probes/programs/scenes.h"

namespace scenes {
namespace {

constexpr useconds_t longer_than_a_drain_us = 400'000;

int exit_code_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int exec_self(const char* scene) {
    ::execl("/proc/self/exe", "traced_program", scene, nullptr);
    return 127;
}

// Two nested ranges here, one on a thread that never returns, one started.
int open_at_end() {
    std::atomic<bool> is_open{false};
    std::thread([&] {
        nvtxRangePushA("elsewhere");
        is_open = true;
        while (true) {
            ::pause();
        }
    }).detach();
    while (!is_open) {
        ::usleep(100);
    }
    nvtxRangePushA("outer");
    nvtxRangePushA("inner");
    nvtxRangeStartA("started");
    std::exit(0);
}

// A thread ends with a range open.
int open_at_thread_end() {
    std::thread([] { nvtxRangePushA("left open"); }).join();
    ::usleep(longer_than_a_drain_us);
    return 0;
}

int exits_without_handlers() {
    blink("kept");
    ::usleep(longer_than_a_drain_us);
    ::_exit(3);
}

int aborts() {
    blink("kept");
    ::usleep(longer_than_a_drain_us);
    std::abort();
}

int runs_for_ever() {
    while (true) {
        blink("again");
        ::usleep(1000);
    }
}

// exit() on one thread while others are in the middle of their calls.
int exits_among_threads() {
    blink("first");
    for (int t = 0; t < 3; ++t) {
        std::thread([] {
            while (true) {
                nvtxRangePushA("outer");
                blink("inner");
                nvtxRangePop();
            }
        }).detach();
    }
    ::usleep(50'000);
    std::exit(0);
}

// The child inherits everything but the writer, makes ranges, and runs the exit handlers.
int forks() {
    blink("before");
    nvtxRangePushA("around");
    const pid_t child = ::fork();
    if (child == 0) {
        const bool is_inert = nvtxRangePushA("in the child") < 0;
        nvtxRangePop();
        std::exit(is_inert ? 0 : 9);
    }
    const int code = exit_code_of(child);
    nvtxRangePop();
    blink("after");
    return code;
}

// Nobody has called NVTX before the fork: the child is a process of its own.
int forks_first() {
    const pid_t child = ::fork();
    if (child == 0) {
        blink("in the child");
        std::exit(0);
    }
    const int code = exit_code_of(child);
    blink("in the parent");
    return code;
}

int forks_and_execs() {
    blink("before");
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(exec_self("levels"));
    }
    const int code = exit_code_of(child);
    blink("after");
    return code;
}

int replaces_itself() {
    blink("before");
    ::usleep(longer_than_a_drain_us);
    return exec_self("levels");
}

// Forks while another thread is registering and starting ranges; no child may hang.
int forks_often() {
    blink("first");
    std::atomic<bool> is_over{false};
    std::thread other([&] {
        for (int i = 0; !is_over; ++i) {
            nvtxDomainRegisterStringA(nullptr, std::to_string(i).c_str());
            blink("other");
            ::usleep(10);
        }
    });
    int code = 0;
    for (int i = 0; i < 30 && code == 0; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            nvtxDomainRegisterStringA(nullptr, "child");
            blink("child");
            std::exit(0);
        }
        code = exit_code_of(child);
    }
    is_over = true;
    other.join();
    return code;
}

// As daemons do; the next file opened gets the number of the probe's.
int closes_descriptors() {
    blink("before");
    ::usleep(longer_than_a_drain_us);
    for (int descriptor = 3; descriptor < 256; ++descriptor) {
        ::close(descriptor);
    }
    const char* folder = std::getenv("TARE_PROBE_OUT");
    char file[4096];
    std::snprintf(file, sizeof(file), "%s/own", folder);
    std::FILE* own = std::fopen(file, "w");
    blink("after");
    ::usleep(longer_than_a_drain_us);
    std::fprintf(own, "mine");
    std::fclose(own);
    return 0;
}

void tick(int) {
    blink("tick");
}

// A signal handler that makes ranges, in the middle of others.
int interrupted() {
    // NVTX itself waits for ever when its first call is interrupted by another, and a handler must
    // not allocate: every name and path is known before.
    nvtxRangePushA("main");
    blink("tick");
    nvtxRangePop();
    blink("tick");

    struct sigaction action {};

    action.sa_handler = tick;
    ::sigaction(SIGALRM, &action, nullptr);
    const itimerval often{.it_interval = {0, 200}, .it_value = {0, 200}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    for (int i = 0; i < 200'000; ++i) {
        if (nvtxRangePushA("main") != 0 || nvtxRangePop() != 0) {
            return 1;
        }
    }
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    return 0;
}

// The disk is full after 64 KiB.
int disk_full() {
    const rlimit limit{.rlim_cur = 65536, .rlim_max = 65536};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 5'000; ++i) {
        blink("full");
    }
    return 0;
}

// What the CUDA driver does inside cuInit.
int as_cuda() {
    const char* probe = std::getenv("CUDA_INJECTION64_PATH");
    void* library = probe == nullptr ? nullptr : ::dlopen(probe, RTLD_NOW);
    if (library == nullptr) {
        return 2;
    }
    const auto initialize = reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection"));
    return initialize != nullptr && initialize() == 1 && initialize() == 1 ? 0 : 1;
}

constexpr NamedScene table[] = {
    {"open_at_end", open_at_end},
    {"open_at_thread_end", open_at_thread_end},
    {"exits_without_handlers", exits_without_handlers},
    {"aborts", aborts},
    {"runs_for_ever", runs_for_ever},
    {"exits_among_threads", exits_among_threads},
    {"forks", forks},
    {"forks_first", forks_first},
    {"forks_often", forks_often},
    {"forks_and_execs", forks_and_execs},
    {"replaces_itself", replaces_itself},
    {"closes_descriptors", closes_descriptors},
    {"interrupted", interrupted},
    {"disk_full", disk_full},
    {"as_cuda", as_cuda},
};

}  // namespace

Scene find_process_scene(const char* name) {
    return find_in(table, name);
}

}  // namespace scenes

// SPDX-License-Identifier: Apache-2.0
// One thread of ours that carries records from the rings to the capture file.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "probes/capture/writer.h"
#include "probes/nvtx/settings.h"
#include "probes/nvtx/thread.h"

namespace probes::nvtx {

// How much of a process that is killed may be missing from its capture.
constexpr std::int64_t drain_interval_ns = 250'000'000;

class Collector {
  public:
    explicit Collector(capture::Writer writer) : writer_(std::move(writer)) {}

    bool start();  // false: no thread

    // Stops the thread, then closes what is open, drains the rest and ends the file. Callbacks
    // have stopped.
    void close(const std::string& status, const std::string& reason, FaultKind fault);

  private:
    static void* run(void* self);
    void drain_all();
    void drain(Thread& thread, std::uint64_t head);
    void append(Thread& thread, std::uint64_t begin, std::uint64_t end, std::uint64_t ranges);
    void write_registered();
    void close_open_ranges();
    void cut_tail();
    capture::Loss loss() const;

    struct Snapshot {
        Thread* thread;
        std::uint64_t head;
        bool has_ended;
    };

    capture::Writer writer_;
    pthread_t thread_{};
    std::atomic<bool> is_closing_{false};
    std::vector<Snapshot> snapshot_;
    capture::Loss written_loss_;
    std::uint64_t unwritten_ranges_ = 0;  // the file took no more of them
};

// Wakes the collector before its time is up. No lock, at most one system call.
void wake_writer();

}  // namespace probes::nvtx

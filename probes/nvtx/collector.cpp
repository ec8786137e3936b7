// SPDX-License-Identifier: Apache-2.0
// Rings to file, every quarter of a second or when a ring is half full.
#include "probes/nvtx/collector.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "probes/nvtx/clock.h"
#include "probes/nvtx/probe.h"
#include "probes/nvtx/ranges.h"

namespace probes::nvtx {
namespace {

constinit std::atomic<std::uint32_t> is_wanted{0};

void wait_until_wanted() {
    const timespec interval{.tv_sec = 0, .tv_nsec = drain_interval_ns};
    ::syscall(SYS_futex, &is_wanted, FUTEX_WAIT_PRIVATE, 0, &interval, nullptr, 0);
    is_wanted.store(0);
}

// Whole records from `begin` on, up to about one block; counts the ranges among them.
std::uint64_t block_end(const Ring& ring,
                        std::uint64_t begin,
                        std::uint64_t head,
                        std::uint64_t& ranges) {
    constexpr std::uint64_t most_cells = capture::block_target_bytes / capture::cell_bytes;
    std::uint64_t end = begin;
    while (end < head && end - begin < most_cells) {
        capture::RecordHead record;
        std::memcpy(&record, ring.cell_at(end), sizeof(record));
        ranges += record.kind == capture::RecordKind::range ? 1 : 0;
        end += record.cells;
    }
    return end;
}

}  // namespace

void wake_writer() {
    if (is_wanted.load(std::memory_order_relaxed) == 0 && is_wanted.exchange(1) == 0) {
        ::syscall(SYS_futex, &is_wanted, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
}

bool Collector::start() {
    // The program's signals are not for us.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = ::pthread_create(&thread_, nullptr, run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (is_started) {
        ::pthread_setname_np(thread_, "tare-probe");
    }
    return is_started;
}

void* Collector::run(void* self) {
    auto& collector = *static_cast<Collector*>(self);
    while (!collector.is_closing_.load()) {
        wait_until_wanted();
        try {
            collector.drain_all();
        } catch (...) {  // no memory for the snapshot: the records stay in their rings
        }
    }
    return nullptr;
}

// Heads first: a schema registered before a range in sight was made is then written before it.
void Collector::drain_all() {
    snapshot_.clear();
    for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) {
        const bool has_ended = thread->life.load(std::memory_order_acquire) == Life::ended;
        snapshot_.push_back(
            {.thread = thread, .head = thread->ring.head(), .has_ended = has_ended});
    }
    write_registered();
    for (const Snapshot& seen : snapshot_) {
        drain(*seen.thread, seen.head);
        if (seen.has_ended) {
            writer_.end_thread(seen.thread->serial);
            seen.thread->life.store(Life::free, std::memory_order_release);
        }
    }
    const capture::Loss now = loss();
    if (now.dropped != written_loss_.dropped || now.open_ranges != written_loss_.open_ranges ||
        now.unbalanced_pops != written_loss_.unbalanced_pops ||
        now.ignored_payloads != written_loss_.ignored_payloads) {
        written_loss_ = now;
        writer_.set_loss(now);
    }
}

void Collector::write_registered() {
    for (const capture::PayloadSchema& schema : registry().take_new_schemas()) {
        writer_.add(schema);
    }
    for (const auto& [tid, name] : registry().take_new_thread_names()) {
        writer_.name_thread(tid, name);
    }
}

void Collector::drain(Thread& thread, std::uint64_t head) {
    std::uint64_t begin = thread.ring.tail();
    while (begin < head) {
        std::uint64_t ranges = 0;
        const std::uint64_t end = block_end(thread.ring, begin, head, ranges);
        append(thread, begin, end, ranges);
        thread.ring.release(end);
        begin = end;
    }
}

void Collector::append(Thread& thread,
                       std::uint64_t begin,
                       std::uint64_t end,
                       std::uint64_t ranges) {
    const Ring::Stretch records = thread.ring.stretch(begin, end);
    if (!writer_.add_records(thread.serial, thread.tid, records.first, records.second)) {
        unwritten_ranges_ += ranges;
    }
}

capture::Loss Collector::loss() const {
    capture::Loss sum;
    sum.dropped = unwritten_ranges_ + calls_without_thread();
    for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) {
        sum.dropped += thread->dropped.get();
        sum.open_ranges += thread->open_at_end.get();
        sum.unbalanced_pops += thread->unbalanced.get();
        sum.ignored_payloads += thread->ignored_payloads.get();
    }
    return sum;
}

// What is still open ends now, innermost first; a ring has room for some at a time.
void Collector::close_open_ranges() {
    const std::int64_t end_ns = now_ns();
    for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) {
        if (thread->is_busy.load(std::memory_order_acquire) != 0) {
            continue;  // a call was cut short by exit(): its stack is half-way
        }
        while (close_innermost(*thread, end_ns)) {
            drain(*thread, thread->ring.head());
        }
    }
    Thread* carrier = thread_after_stop();
    while (carrier != nullptr && close_one_started(*carrier, end_ns)) {
        drain(*carrier, carrier->ring.head());
    }
}

void Collector::close(const std::string& status, const std::string& reason, FaultKind fault) {
    is_closing_.store(true);
    is_wanted.store(1);
    ::syscall(SYS_futex, &is_wanted, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    ::pthread_join(thread_, nullptr);
    drain_all();
    close_open_ranges();
    drain_all();
    writer_.set_status(status, reason);
    writer_.finish(loss());
    if (fault == FaultKind::truncate) {
        cut_tail();
    }
}

// Planted: the closing block and some of what is before it.
void Collector::cut_tail() {
    constexpr std::uint64_t end_block_bytes = sizeof(capture::BlockHead) + 4 * 8;
    writer_.truncate(writer_.size_bytes() - end_block_bytes - capture::cell_bytes);
}

}  // namespace probes::nvtx

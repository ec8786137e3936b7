// SPDX-License-Identifier: Apache-2.0
// What ingest makes of one trial's raw files: one struct per derived table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"
#include "reports/stats/histogram.h"

namespace reports {

struct Sample {
    std::string metric;                // metric.name
    std::optional<std::string> phase;  // nullopt: of the whole process
    std::optional<int> rep;            // from 0
    double value = 0;
};

// A value that a command gave of itself, under a name of its own.
struct CommandSample {
    std::string name, unit;
    Direction direction = Direction::none;  // never exact: that is a Count
    int rep = 0;                            // from 0, of that name
    double value = 0;
};

// Holes of a phase by cause; nullopt where the backend has no such class.
struct GapNs {
    std::optional<std::int64_t> launch_ns, sync_ns, alloc_ns, host_ns, dispatch_ns, unsplit_ns;
};

// One phase of one measured rep. What only a capture shows is nullopt in timed trials.
struct PhaseStat {
    std::string phase;
    int rep = 0;
    std::optional<std::int64_t> wall_ns;  // by the process's own timer
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> range_ns, busy_ns, sum_ns, gap_ns, outside_ns;
    GapNs gap;
    std::optional<std::int64_t> records_expected, records_seen;
};

struct CaptureStat {
    std::int64_t records = 0;  // of every kind
    std::int64_t kernel_ns = 0;
    std::int64_t unattributed_ns = 0;
};

struct KernelStat {
    int rep = 0;
    std::string phase;
    std::string path;    // "prefill/layer.03.moe/experts.up"
    std::string family;  // path without numbers: "prefill/layer.*.moe/experts.up"
    std::string kernel;
    std::string role;
    std::optional<std::string> launch_shape;
    std::optional<int> registers;
    std::int64_t calls = 0, total_ns = 0, min_ns = 0, max_ns = 0;
    stats::Histogram histogram;
    std::optional<double> bytes, flops;  // counted work of all calls
};

struct LossCount {
    std::string kind;
    std::int64_t count = 0;
};

struct IdentityCheck {
    std::optional<std::string> phase;
    std::string name;
    double expected = 0, seen = 0;
    bool must_hold =
        true;  // false: the arm declares that the two differ, and by what factor is told
};

struct Count {
    std::optional<std::string> phase;
    std::string name;
    double value = 0;
    std::string unit;
    bool exact = false;
};

struct Output {
    int request = 0;
    std::vector<std::int64_t> tokens;
    std::vector<double> margins;
    std::string sha256;
};

// How well a text was foretold (workload "score"), by the process's own word.
struct TextLoss {
    int request = 0;
    std::string name;
    std::int64_t tokens = 0;           // predicted: one less than the text has
    double nll_sum = 0, nll_mean = 0;  // negative log likelihood, natural log
    std::string sha256;                // of the values as little-endian float64
};

struct RawFile {
    std::string kind;  // "lines", "stdout", "results", "capture", "conditions", "stderr",
                       // "host.77.capture"
    std::string path;  // below the store's folder
    std::int64_t stored_bytes = 0, content_bytes = 0;
    std::optional<std::string> sha256;  // of the stored bytes; nullopt: not recorded
};

struct Derived {
    std::vector<std::string> reasons;  // every breach; empty: ingest found nothing wrong
    bool planted = false;              // the process or the probe said that a fault is planted
    std::optional<int> protocol;
    std::optional<std::string> timer;
    std::vector<Sample> samples;
    std::vector<CommandSample> command_samples;
    std::vector<Condition> conditions;
    std::vector<PhaseStat> phases;
    std::optional<CaptureStat> capture;
    std::vector<KernelStat> kernels;
    std::vector<LossCount> losses;
    std::vector<IdentityCheck> identities;
    std::vector<Count> counts;
    std::vector<Output> outputs;
    std::vector<TextLoss> text_losses;
};

}  // namespace reports

// SPDX-License-Identifier: Apache-2.0
// A capture file summed up in one pass: per phase instance, path and kernel. Memory grows with the
// number of different (path, kernel) pairs, not with the number of ranges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "probes/capture/records.h"
#include "reports/ingest/roles.h"
#include "reports/stats/histogram.h"

namespace reports::ingest {

struct KernelTotals {
    std::string path;  // "prefill/layer.03.moe/experts.up"
    std::string kernel;
    std::string role;
    std::int64_t calls = 0, total_ns = 0, min_ns = 0, max_ns = 0;
    stats::Histogram histogram;
    std::optional<double> bytes, flops;  // nullopt: not declared
};

// One measured phase: an outermost range with payload schema "phase" and rep >= 0.
struct PhaseProfile {
    std::string phase;
    int rep = 0;
    std::int64_t range_ns = 0;
    std::int64_t busy_ns = 0;     // union of the kernels' intervals
    std::int64_t sum_ns = 0;      // their sum
    std::int64_t gap_ns = 0;      // holes of the union inside the range
    std::int64_t outside_ns = 0;  // busy time outside the range widened by window_slack_ns
    std::int64_t host_ns = 0;     // self time of the ranges that are no kernels
    std::int64_t records = 0;     // kernels seen
    std::vector<KernelTotals> kernels;
};

enum class Phases {
    declared,   // outermost ranges with payload schema "phase"
    outermost,  // every outermost range; the ranges below play the kernels, each with the time in
                // which none of its own runs. Reps are counted by name, from 0.
};

// More outermost ranges than a report can show: a server's requests, say.
inline constexpr std::size_t most_phases = 10'000;

struct Profile {
    probes::capture::ProcessInfo process;
    probes::capture::Loss loss;
    std::int64_t records = 0;  // of every kind
    std::int64_t kernel_ns = 0;
    std::int64_t unattributed_ns = 0;
    std::int64_t late_ns = 0;  // kernel time in no order (stats/interval.h); 0 when all is well
    std::vector<PhaseProfile> phases;
    std::int64_t phases_left_out = 0;  // beyond most_phases, of Phases::outermost
};

// Throws probes::capture::CaptureError when the file is no capture this build reads,
// CaptureUnreadable when it cannot be read now.
Profile read_profile(const std::filesystem::path& capture,
                     const std::vector<RoleRule>& rules,
                     Phases phases = Phases::declared);

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
// A report about one stored run, ready to be rendered. Mirrors the JSON object tare.report/1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"

namespace reports {

// Median over trials with the smallest and largest beside it.
struct Spread {
    double median = 0, min = 0, max = 0;
    int n = 0;
};

using Figure = std::optional<Spread>;  // nullopt: not known, printed as null or '-'

// Holes of a phase by cause. Null where the backend has no such class.
struct GapClasses {
    Figure launch_ns, sync_ns, alloc_ns, host_ns, dispatch_ns, unsplit_ns;
};

// The five figures a profile must pass (limits in reports/ingest/integrity.h).
struct Integrity {
    std::optional<double> unattributed_share;        // (a) of kernel time
    std::optional<double> outside_share;             // (b) of kernel time
    std::optional<std::int64_t> records_expected;    // (c) the engine's own count
    std::optional<std::int64_t> records_seen;        // (c) what the capture holds
    std::optional<double> gap_residual_share;        // (d) of wall
    std::optional<double> timer_disagreement_share;  // (e) of the engine's timer
};

struct PhaseRow {
    std::string phase;
    Mode mode = Mode::timed;
    std::string timer;  // "monotonic_raw"
    int rounds = 0;
    Figure wall_ns, busy_ns, sum_ns, gap_ns;
    GapClasses gap;
    Figure tokens_per_s;  // of timed phases
    Integrity integrity;  // of profiled phases
    bool valid = true;
    std::string reason;
};

// A role, or a (path, kernel, launch shape) of a phase. Times are per rep: those of the median rep
// (the profiled rep whose wall time is the median), so that rows and gap add up to the wall time;
// min and max are over all reps.
struct KernelRow {
    std::string phase;
    std::string role;
    std::string path;    // empty in a role row; with '*' for numbers in an op row
    std::string kernel;  // empty in a role row
    Figure calls, total_ns, share, mean_ns;
    std::optional<double> p50_ns, p99_ns, min_ns, max_ns;  // over single executions
    std::optional<std::string> launch_shape;               // null on the CPU
    std::optional<int> registers;                          // null on the CPU
    std::optional<double> bytes, flops;                    // counted work per rep
    std::optional<double> gb_per_s, tflop_per_s;
    std::optional<double> roof_share;  // the larger of GB/s over copy and TFLOP/s over flops
    std::string roof_bound;            // which of them: "copy", "flops"; empty without a share
};

// Of the whole process, over timed trials: what a command is judged by.
struct MetricRow {
    std::string name, unit;
    Direction direction = Direction::none;
    Spread value;
};

struct CountRow {
    std::string name;
    double value = 0;
    std::string unit;
    bool exact = false;
};

struct IdentityRow {
    std::string name;
    double expected = 0;
    double seen = 0;
    bool must_hold = true;  // false: declared to differ; shown, and no breach
};

// How well one text was foretold: the most frequent answer of the counted trials.
struct LossRow {
    int request = 0;
    std::string name;
    std::int64_t tokens = 0;           // predicted
    double nll_sum = 0, nll_mean = 0;  // negative log likelihood, natural log
    std::string sha256;                // of the values as little-endian float64
    int trials = 0;                    // that said exactly this
};

// What the process said to one request.
struct OutputRow {
    int request = 0;
    std::vector<std::int64_t> tokens;
    std::vector<double> margins;  // top-1 minus top-2 logit, one per token
    std::string sha256;
    int trials = 0;  // that said exactly this
};

struct ProfilingCost {
    std::string phase;
    Figure timed_wall_ns, profiled_wall_ns;
    std::optional<double> ratio;  // profiled / timed, medians
};

struct Roof {  // measured on this machine in this run
    std::optional<double> copy_bytes_per_s, flops_per_s;
    std::string how;
};

struct TrialRow {
    Id id = 0;
    Trial trial;
    bool is_over = true;  // it ended, and its raw files were read
};

// One arm of a run. The arms of a run with several share run, scenario, machine, plan and roof.
struct Report {
    Run run;
    Scenario scenario;
    Machine machine;
    Build build;
    Model model;
    Plan plan;
    Arm arm;
    Id arm_id = 0;
    Roof roof;
    std::vector<TrialRow> trials;
    std::vector<PhaseRow> phases;
    std::vector<KernelRow> roles;
    std::vector<KernelRow> ops;      // kernels grouped over layers
    std::vector<KernelRow> kernels;  // every range path by itself
    std::vector<MetricRow> metrics;  // of a command
    std::vector<CountRow> counts;
    std::vector<IdentityRow> identities;
    std::vector<ProfilingCost> profiling_cost;
    std::vector<Condition> conditions;  // medians over the run's samples
    std::optional<Spread> cold_start_ns;
    std::vector<OutputRow> outputs;  // by request, the most frequent answer first
    std::optional<std::string>
        output_sha256;                // of the token ids of all requests; null when trials disagree
    std::vector<LossRow> losses;      // by request; empty unless texts were scored
    std::optional<double> mean_loss;  // of the texts' nll_mean, each text counting the same
    bool valid = true;                // of this arm
    std::vector<std::string> reasons;   // every breach of this arm, in words
    std::vector<Report> other_arms;     // in the scenario's order; this report is the first arm's
    std::vector<std::string> all_arms;  // names of the run's arms, those not loaded too
};

std::vector<const Report*> arms_of(const Report& report);  // itself, then the other arms
bool run_is_valid(const Report& report);                   // every loaded arm is
// Of every loaded arm, headed by the arm's name where there are several.
std::vector<std::string> run_reasons(const Report& report);

}  // namespace reports

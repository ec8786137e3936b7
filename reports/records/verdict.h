// SPDX-License-Identifier: Apache-2.0
// What a comparison of arms found: mirrors the JSON object tare.compare/1. Plain values, ready to
// be rendered and gated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/run.h"

namespace reports {

enum class Verdict : std::uint8_t { improved, same, regressed, inconclusive, invalid };
const char* name(Verdict verdict);

// Two-sided, on the scale of the ratio or difference it stands beside.
struct ChangeInterval {
    double lo = 0, hi = 0;
    double level = 0;  // 0.95
};

// Which of two arms ran first in a round.
struct RoundOrder {
    int round = 0;  // from 0, as trials count them
    bool a_first = true;
};

// One timing metric over the paired rounds of two arms.
struct MetricVerdict {
    std::string name;  // "decode.wall_ns"; "cold_start_ns" of the whole process
    std::string unit;
    Direction direction = Direction::lower;
    Figure a, b;                         // over rounds
    std::optional<double> ratio;         // B/A, exp of Hodges-Lehmann; null where values are <= 0
    std::optional<double> median_ratio;  // median of the rounds' ratios
    std::optional<ChangeInterval> interval;  // of the ratio: the one that decides; null at small n
    std::optional<double> margin;            // share; null: not gated
    int rounds = 0, look = 0, looks = 0;
    std::optional<double> signed_rank_p, sign_p;
    std::optional<double> second_costs;  // share: what running second costs
    bool position_corrected = false;
    std::optional<Verdict> verdict;          // null without a margin
    std::string reason;                      // one sentence with its numbers
    std::vector<double> a_rounds, b_rounds;  // values of the rounds both have
    std::vector<RoundOrder> order;           // of these rounds
};

enum class Match : std::uint8_t { matched, renamed, split, fused, added, gone };
const char* name(Match match);  // added: "new"

// One line of the blame table: a role, or a kernel at a path. Times are exposed ns per rep.
struct BlameRow {
    std::string phase, role, path, kernel;  // path and kernel empty in a role row
    bool whole_op = true;                   // all layers together; false: one path of such a row
    std::string shape, shape_b;             // of the launches; empty where the backend has none
    std::string kernel_b;                   // the other name, of renamed, split and fused ones
    Match match = Match::matched;
    std::optional<double> a_ns, b_ns;        // median over profiled rounds
    double delta_ns = 0;                     // Hodges-Lehmann of the rounds' B - A
    std::optional<ChangeInterval> interval;  // of delta_ns
    std::optional<double> p, q;              // q null where this n cannot reach 0.05
    std::optional<double> a_calls, b_calls;
};

// A kernel that an arm ran in some of its profiled rounds only: what it does is not settled.
struct UnsteadyKernel {
    std::string arm, path, kernel;
    int seen = 0, rounds = 0;  // in `seen` of them
};

// Where a phase's change of wall time went; rows and rest add up to wall_ns.
struct Waterfall {
    struct Row {
        std::string name;  // "kernels", "shared", "gap", "gap.launch", ..., "profiling"
        double delta_ns = 0;
        std::optional<ChangeInterval> interval;
    };

    std::string phase;
    double wall_ns = 0;  // B - A, timed rounds
    std::vector<Row> rows;
    double rest_ns = 0;  // medians do not add up exactly
    bool profiling_changed_the_answer = false;
};

struct CountVerdict {
    std::string name, unit;
    std::optional<double> a, b;  // null: that arm has none, or it varies
    bool exact = false;          // constant in every round of both
    std::optional<bool> equal;   // null unless exact in both
};

struct TokenVerdict {
    std::optional<bool> identical;  // null: an arm has no output
    // Rounds of one arm disagree among themselves: the difference below may be no change.
    bool a_repeats = true, b_repeats = true;

    struct Divergence {
        int request = 0;
        std::size_t position = 0;                      // from 0, into the generated tokens
        std::optional<double> margin;                  // of A there: top-1 minus top-2 logit
        std::optional<std::int64_t> a_token, b_token;  // null: that answer ended before
    };

    std::optional<Divergence> first_divergence;
    double agreement = 0;  // share of positions with equal tokens
};

// A block of two rounds that does not count, because a trial of it failed.
struct ReplacedBlock {
    int block = 0;  // rounds 2 block and 2 block + 1
    Mode mode = Mode::timed;
    std::string arm, reason;  // of the first trial that failed
};

struct ArmSummary {
    std::string name, spec;  // "b", "main+args:..." as written
    std::optional<std::string> commit, dirty_diff_sha256, compiler, binary_sha256;
    int timed = 0, profiled = 0;  // valid trials that count
    int failed = 0;               // trials that were not valid
    bool planted = false;
    std::string why_invalid;                  // empty: it can be compared
    std::vector<std::string> first_failures;  // at most 3, as the trials said
};

// B against A.
struct PairVerdict {
    std::string a, b;  // names of arms
    std::vector<MetricVerdict> metrics;
    std::vector<BlameRow> roles, kernels;  // largest |delta| first
    std::vector<BlameRow> paths;           // totals of ops that have several kernels
    std::vector<UnsteadyKernel> unsteady;
    std::vector<Waterfall> waterfalls;  // one a phase
    std::vector<CountVerdict> counts;
    TokenVerdict tokens;
    bool exact_regressed = false;  // tokens or exact counts differ
    Verdict verdict = Verdict::inconclusive;
    int exit_code = 3;
    std::vector<std::string> reasons;  // what decided, most important first
};

struct ComparisonPlan {
    std::vector<int> looks;  // timed rounds at which is looked
    int profiled_rounds = 0;
    double alpha = 0;  // one-sided
    std::uint64_t seed = 0;
    int gated = 0;            // metrics with a margin
    std::string calibration;  // "uncalibrated", or which one
};

struct ComparisonReport {
    Run run;
    Scenario scenario;
    Machine machine;
    ComparisonPlan plan;
    std::vector<ArmSummary> arms;
    std::vector<PairVerdict> pairs;  // each arm against the first, then against its predecessor
    int rounds = 0, replaced_rounds = 0;
    std::vector<ReplacedBlock> replaced;
    int void_trials = 0;  // of blocks that were cut off and ran again as a whole
    std::vector<Condition> conditions;
    Verdict verdict = Verdict::inconclusive;  // worst pair
    int exit_code = 3;
    std::vector<std::string> reasons;
};

}  // namespace reports

// SPDX-License-Identifier: Apache-2.0
// What a gate found about one scenario: plain values, and the exit code that follows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"
#include "reports/records/verdict.h"

namespace baselines {

enum class Outcome : std::uint8_t { passed, regressed, inconclusive, invalid, not_checked };
const char* name(Outcome outcome);  // "not checked"

// The numbers of a check of one metric. a is the baseline, b is now.
struct Timing {
    std::string metric;  // "decode.wall_ns"
    std::string unit;
    std::optional<double> a, b;   // medians
    std::optional<double> ratio;  // b / a, Hodges-Lehmann
    std::optional<reports::ChangeInterval> interval;
    double margin = 0;  // share
    int n = 0;          // rounds; samples of now where nothing was interleaved
    reports::Verdict verdict = reports::Verdict::inconclusive;
    std::string against;  // what a is, and how the two were held side by side
    reports::Id run = 0;  // that was stored
};

struct Check {
    std::string name;  // "counts", "tokens", "timings"
    std::string arm;   // empty: of all arms
    Outcome outcome = Outcome::not_checked;
    std::vector<std::string> reasons;   // one sentence each, most important first; never empty
    std::optional<Timing> timing = {};  // of a check of one metric

    bool exact() const { return name != "timings"; }
};

struct GateVerdict {
    std::string scenario;
    reports::Id run = 0;   // stored; 0: nothing was run
    std::string baseline;  // the file
    bool planted = false;  // a fault was planted on purpose
    std::vector<Check> checks;
};

// A check that was not made is no verdict: when none was made the gate is invalid.
Outcome outcome_of(const GateVerdict& verdict);

// 4 before 1 before 3 before 0, except that an exact regression is 1 whatever else happened.
int exit_code(const GateVerdict& verdict);

}  // namespace baselines

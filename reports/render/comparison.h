// SPDX-License-Identifier: Apache-2.0
// Two reports side by side: two stored runs, or two arms of one run. No verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports::render {

inline constexpr const char* no_verdict = "two stored runs, not interleaved: no verdict";

inline constexpr const char* no_verdict_of_arms =
    "arms of one run: `tare run` gives no verdict, `tare ab` does";

struct MetricPair {
    std::string name;  // "prefill.wall_ns"
    std::string unit;
    Direction direction = Direction::lower;
    Figure a, b;
    std::optional<double> ratio;  // b / a, of the medians
};

struct KernelPair {
    std::string path;                  // all layers together; of a role "prefill/expert_gemm"
    std::string kernel;                // empty for a role
    std::optional<double> a_ns, b_ns;  // per rep; nullopt: not in that run
    double delta_ns = 0;               // b - a, with an absent kernel as no time
};

struct CountPair {
    std::string name;
    std::string unit;
    std::optional<double> a, b;
    bool exact = false;  // in both
};

struct Comparison {
    const Report& a;
    const Report& b;
    std::string a_name = "a", b_name = "b";
    const char* why_no_verdict = no_verdict;
    std::vector<MetricPair> metrics;
    std::vector<KernelPair> roles, kernels;  // largest |delta| first
    std::vector<CountPair> counts;
    TokenVerdict tokens;
};

// Of two arms of one run.
Comparison compare_arms(const Report& a, const Report& b);

// Arm by arm: those of one scenario have the same arms, by the same names.
// Throws std::invalid_argument as below, and when no arm of one is in the other.
std::vector<Comparison> compare_by_arm(const Report& a, const Report& b);

// Throws std::invalid_argument, with both, when the scenario identities differ.
Comparison compare_reports(const Report& a, const Report& b);

}  // namespace reports::render

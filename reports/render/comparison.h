// SPDX-License-Identifier: Apache-2.0
// Two stored runs side by side. No verdict: their rounds were not interleaved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"

namespace reports::render {

inline constexpr const char* no_verdict = "two stored runs, not interleaved: no verdict";

struct MetricPair {
    std::string name;  // "prefill.wall_ns"
    std::string unit;
    Direction direction = Direction::lower;
    Figure a, b;
    std::optional<double> ratio;  // b / a, of the medians
};

struct KernelPair {
    std::string path;  // all layers together
    std::string kernel;
    std::optional<double> a_ns, b_ns;  // per rep; nullopt: not in that run
    double delta_ns = 0;               // b - a, with an absent kernel as no time
};

struct CountPair {
    std::string name;
    std::string unit;
    std::optional<double> a, b;
    bool exact = false;  // in both
};

struct Divergence {
    int request = 0;
    std::size_t position = 0;      // into the request's generated tokens
    std::optional<double> margin;  // of a, at that token
};

struct Comparison {
    const Report& a;
    const Report& b;
    std::vector<MetricPair> metrics;
    std::vector<KernelPair> kernels;  // largest |delta| first
    std::vector<CountPair> counts;
    std::optional<bool> tokens_identical;  // nullopt: one of them has no output
    std::optional<Divergence> first_divergence;
};

// Throws std::invalid_argument, with both, when the scenario identities differ.
Comparison compare_reports(const Report& a, const Report& b);

}  // namespace reports::render

// SPDX-License-Identifier: Apache-2.0
// What the trials of a comparison that count have shown, by arm and round. Reps of a trial are
// already reduced: they are never the unit of inference.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"
#include "reports/store/store.h"

namespace reports::compare {

// One trial's value.
struct Observation {
    int round = 0;
    int position = 0;  // of the trial within its round
    double value = 0;
};

// A metric of the timed trials: median over each trial's reps.
struct MetricSeries {
    std::string phase;  // empty: of the whole process
    std::string metric, unit;
    Direction direction = Direction::lower;
    std::map<std::string, std::vector<Observation>> arms;  // by round

    std::string name() const;        // "decode.wall_ns"
    std::string margin_key() const;  // "decode_wall_ns", as [metrics] of a scenario has it
};

// A kernel at a path of the profiled trials, per rep.
struct KernelSeries {
    std::string phase, path, family, kernel, role;
    std::string shape;  // of its launches; empty where the backend has none

    struct Value {
        int round = 0;
        double calls = 0, total_ns = 0;
        std::int64_t first_seen = 0;  // in its trial, among the kernels of that trial
    };

    std::map<std::string, std::vector<Value>> arms;
};

inline constexpr const char* gap_classes[] = {"launch", "sync",     "alloc",
                                              "host",   "dispatch", "unsplit"};

// A phase of the profiled trials, per rep.
struct PhaseSeries {
    std::string phase;

    struct Value {
        int round = 0;
        double range_ns = 0, sum_ns = 0, busy_ns = 0, gap_ns = 0;
        std::map<std::string, double> gap;  // by class; those the backend has
    };

    std::map<std::string, std::vector<Value>> arms;
};

struct Observations {
    std::vector<MetricSeries> metrics;
    std::vector<KernelSeries> kernels;
    std::vector<PhaseSeries> phases;
};

std::vector<MetricSeries> load_metric_series(const Store& store, Id run);
Observations load_observations(const Store& store, Id run);

// Values of two arms in the rounds that both have, in order of rounds.
template <class T>
std::vector<std::pair<T, T>> paired(const std::map<std::string, std::vector<T>>& arms,
                                    const std::string& a,
                                    const std::string& b) {
    std::vector<std::pair<T, T>> out;
    const auto of_a = arms.find(a), of_b = arms.find(b);
    if (of_a == arms.end() || of_b == arms.end()) return out;
    for (const T& x : of_a->second)
        for (const T& y : of_b->second)
            if (x.round == y.round) out.emplace_back(x, y);
    return out;
}

}  // namespace reports::compare

// SPDX-License-Identifier: Apache-2.0
// Simulated comparisons: what a machine does to its trials, one slot of time after another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/stats/decision.h"

namespace fakes {

enum class Noise { normal, t3, spikes, drift, autoregressive, position, period_4 };

// Table name of each.
std::string name(Noise noise);

struct Cell {
    Noise noise = Noise::normal;
    double sigma = 0.01;   // standard deviation of a round's log ratio
    double slower = 0;     // true change of B, log scale
    double margin = 0.02;  // log scale
    int gated = 1;
    bool order_known = true;  // else no position effect is looked for
};

struct Tally {
    int series = 0;
    int improved = 0, same = 0, regressed = 0, inconclusive = 0;  // of the first metric
    int all_same = 0;                                             // every gated metric
    int any_regressed = 0;                                        // one of them
    double rounds = 0;                                            // mean, of the first metric

    double share(int count) const { return static_cast<double>(count) / series; }
};

// Rounds of one metric; the order of arms is drawn as for a real comparison.
std::vector<reports::stats::OrderedRound> draw_series(const Cell& cell,
                                                      std::uint64_t seed,
                                                      int rounds);

// The default plan on `series` draws.
Tally simulate(const Cell& cell, int series);

}  // namespace fakes

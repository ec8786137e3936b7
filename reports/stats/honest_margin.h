// SPDX-License-Identifier: Apache-2.0
// What a comparison can tell on this machine, from rounds of one build against itself (A/A).
//
// A/A blocks are drawn with replacement and their arms swapped by a coin: series in which nothing
// changed, with the noise that was seen. They go through decide() like any comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/stats/position_effect.h"
#include "reports/stats/sequential_plan.h"

namespace reports::stats {

inline constexpr int least_calibration_rounds = 24;

struct CalibrationSetting {
    Plans plans = plans_for();
    std::uint64_t seed = 0;
    int series = 2000;   // drawn
    double goal = 0.9;   // the chance that is asked for
    bool detect = true;  // false: HonestMargin::detected is left out
};

// On the scale of the rounds' values: for ratios the margin as a share is expm1 of it.
struct HonestMargin {
    double margin = 0;  // smallest with P(every gated metric same | no change) >= goal; 0: no noise
    // Smallest slowdown with P(regressed | it, at that margin) >= goal; nullopt: no look of the
    // plan can call one.
    std::optional<double> detected;
    double sigma = 0;  // standard deviation of the rounds' values
    int rounds = 0;    // A/A rounds in whole blocks
};

// Gated metrics count as independent: each is held to goal^(1/gated). Fewer than
// least_calibration_rounds in whole blocks, or a plan without intervals: nullopt. A setting without
// series, or with a goal outside (0, 1): std::invalid_argument.
std::optional<HonestMargin> honest_margin(std::span<const OrderedRound> rounds,
                                          const CalibrationSetting& setting = {});

struct FalseAlarms {
    int resampled = 0;         // comparisons with block orders drawn anew
    int resampled_alarms = 0;  // of them, regressed
    int whole = 0;             // comparisons as they were run, one after another
    int whole_alarms = 0;
};

// Cuts the A/A rounds into whole comparisons of the plan's length; fewer rounds than one: nullopt.
std::optional<FalseAlarms> false_alarms(std::span<const OrderedRound> rounds,
                                        double margin,
                                        const CalibrationSetting& setting = {});

}  // namespace reports::stats

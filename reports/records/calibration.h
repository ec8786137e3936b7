// SPDX-License-Identifier: Apache-2.0
// How small a change of a scenario a machine can tell: mirrors the JSON object tare.calibration/1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/run.h"

namespace reports {

// One A/A round: ln(B/A), turned so that positive is worse.
struct CalibrationRound {
    double worse = 0;
    bool a_first = true;
    int block = 0;
};

// How often "regressed" was said though nothing had changed.
struct FalseAlarmCount {
    double margin = 0;         // share
    int resampled = 0;         // comparisons with block orders drawn anew
    int resampled_alarms = 0;  // of them, regressed
    int whole = 0;             // comparisons as they were run
    int whole_alarms = 0;
};

struct CalibratedMetric {
    std::string key;   // "decode_wall_ns", as [metrics] of a scenario has it
    std::string name;  // "decode.wall_ns"
    std::string unit;
    Direction direction = Direction::lower;
    Spread values;  // over the trials of both arms
    std::vector<CalibrationRound> rounds;
    // Standard deviation of the rounds' values, not a robust one: what disturbs a machine now and
    // then is part of what a comparison there meets.
    std::optional<double> sigma;
    std::optional<double> honest_margin;  // share; null: see reason
    std::optional<double> detected;       // slowdown as a share; null: no look can call one
    std::optional<double> margin;         // of the scenario, as a share; null: not gated
    std::optional<FalseAlarmCount> alarms;
    std::string reason;  // why there is no honest margin
};

// Of the profiled rounds, all layers together.
struct CalibratedKernel {
    std::string phase, path, kernel;
    int rounds = 0;
    double median_ns = 0;  // per rep, over all trials
    double sigma = 0;      // standard deviation of ln(B/A)
};

struct CalibratedCount {
    std::string name, unit;
    std::optional<double> value;  // null: it varied
};

// The plan under which margins are honest.
struct CalibrationPlan {
    std::vector<int> looks;
    int gated = 1;      // metrics that are judged
    double goal = 0.9;  // P(same | no change)
    int series = 2000;  // comparisons drawn
    std::uint64_t seed = 0;
};

struct Calibration {
    Id id = 0;              // 0: not stored
    std::optional<Id> run;  // null: pruned since
    std::string machine_class, scenario, scenario_sha256, backend;
    std::string arm;             // of the scenario, that ran against itself
    std::string calibrated_utc;  // ISO 8601
    std::optional<std::string> commit, dirty_diff_sha256;
    std::string binary_sha256;
    int rounds = 0, profiled_rounds = 0, replaced_rounds = 0;
    CalibrationPlan plan;
    std::optional<bool> tokens_repeat;  // null: there are none
    std::vector<CalibratedMetric> metrics;
    std::vector<CalibratedKernel> kernels;  // the longest first
    std::vector<CalibratedCount> counts;
    std::vector<std::string> reasons;  // why it is invalid; then it is not stored
};

}  // namespace reports

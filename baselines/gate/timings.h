// SPDX-License-Identifier: Apache-2.0
// What a scenario took on one machine class when it was accepted: baselines/<machine class>/
// <scenario>.json (tare.timings/1), text that a reviewer reads in a diff. Written by
// `tare gate --accept` alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baselines/gate/baseline.h"
#include "reports/compare/samples.h"
#include "reports/records/calibration.h"
#include "reports/records/report.h"

namespace baselines {

struct TimedMetric {
    std::string metric;  // "decode_wall_ns", as [metrics] of the scenario has it
    std::string unit;
    reports::Direction direction = reports::Direction::lower;
    double margin = 0;            // share, of the scenario when it was accepted
    std::vector<double> samples;  // one a trial, in the order they were run; never empty
};

struct TimedArm {
    std::string name;  // of the scenario's arm; "a" where it names none
    // Exact for this machine class alone; those that hold on every machine are in any/.
    std::vector<reports::CountRow> counts;
    std::vector<TimedMetric> timings;
};

// A margin that was broken when the file was accepted, and accepted all the same. Medians.
struct AcceptedRegression {
    std::string arm, metric, unit;
    double from = 0, to = 0;
};

struct TimingAcceptance {
    std::string date;    // UTC, ISO 8601
    std::string commit;  // full hash
    std::string reason;  // as given
    std::vector<std::string> changes;
    std::vector<AcceptedRegression> regressions;
};

struct UsedCalibration {
    struct Margin {
        std::string metric;
        double honest = 0;  // share
    };

    std::string calibrated_utc;
    int rounds = 0;
    std::vector<Margin> margins;
};

struct TimingBaseline {
    std::string scenario, scenario_sha256;
    std::optional<std::string> model_sha256;  // null: not known
    std::string backend;
    std::string machine_class, cpu_model, kernel;
    int cores = 0;
    std::int64_t memory_bytes = 0;
    std::string commit, binary_sha256;  // of the program that was measured
    std::optional<std::string> compiler, flags;
    std::string suite_commit;
    int warm_up = 0, reps = 0;
    std::optional<UsedCalibration> calibration;  // nullopt: uncalibrated
    std::vector<reports::Condition> conditions;  // medians; raw_ns is not kept
    std::vector<TimingAcceptance> accepted;      // oldest first
    std::vector<TimedArm> arms;
};

std::string to_text(const TimingBaseline& baseline);

// Throws BaselineError.
TimingBaseline parse_timings(std::string_view text);

using Margins = std::vector<std::pair<std::string, double>>;  // metric -> share

// "", or why times of this build can never be a baseline: changes that are in no commit, no commit
// at all.
std::string why_no_baseline(const std::optional<std::string>& commit, bool is_dirty);

// Of a valid run; `accepted` is left empty. Metrics without a margin are left out.
TimingBaseline timings_of(const reports::Report& report,
                          const std::vector<reports::compare::TimedSamples>& samples,
                          const Margins& margins,
                          const std::optional<reports::Calibration>& calibration);

// What a new file would change, in words, and the margins it breaks: `acceptance` gets both.
void add_changes(const TimingBaseline& from,
                 const TimingBaseline& to,
                 TimingAcceptance& acceptance);

}  // namespace baselines

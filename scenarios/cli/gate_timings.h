// SPDX-License-Identifier: Apache-2.0
// The timings of a gate: the baseline's commit and the engine at hand in interleaved rounds, or
// samples of now against stored ones.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "baselines/gate/timing_checks.h"
#include "scenarios/cli/calibrated.h"
#include "scenarios/cli/gate_options.h"

namespace scenarios::cli {

// Timed trials of an accepted baseline, and of what is held against stored samples.
inline constexpr int accepted_trials = 12;

// What is known before anything is measured.
struct TimingsPlan {
    std::vector<plan::Metric> metrics;  // with margins
    Calibrated calibrated;
    std::filesystem::path file;
    std::optional<baselines::TimingBaseline> baseline;  // to hold times against
    std::optional<baselines::Check> why_not;            // set where there is none
};

// Throws UsageError for a file that cannot be understood, and for margins that are smaller than
// honest ones.
TimingsPlan plan_timings(const plan::Scenario& scenario,
                         const GateOptions& options,
                         const Gating& with,
                         const std::filesystem::path& folder);

baselines::Margins margins_of(const std::vector<plan::Metric>& metrics);

// Every arm of the scenario by a comparison of its own. nullopt: interrupted.
std::optional<std::vector<baselines::Check>> interleave_timings(const plan::Scenario& scenario,
                                                                const TimingsPlan& plan,
                                                                const GateOptions& options,
                                                                const Gating& with);

}  // namespace scenarios::cli

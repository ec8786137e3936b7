// SPDX-License-Identifier: Apache-2.0
// What the store knows of this machine's noise on a scenario, and margins held against it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/calibration.h"
#include "reports/store/store.h"
#include "scenarios/plan/scenario.h"

namespace scenarios::cli {

struct Calibrated {
    std::optional<reports::Calibration> calibration;  // of this machine class and scenario identity
    // "calibrated 2026-…", or "uncalibrated" with why one of another text or machine is not used.
    std::string words;
};

Calibrated find_calibrated(const reports::Store& store, const plan::Scenario& scenario);

// The smallest margin of `metric` that this machine can honour in a comparison with these looks and
// gated metrics, and never 0: at least a hundredth of a per cent. nullopt: not calibrated.
std::optional<double> honest_margin_of(const Calibrated& calibrated,
                                       const std::string& metric,
                                       const std::vector<int>& looks,
                                       int gated);

// Throws UsageError naming every margin that asks for more than the machine can tell in a
// comparison with these looks. Without a calibration nothing is refused.
void refuse_dishonest_margins(const Calibrated& calibrated,
                              const std::vector<plan::Metric>& metrics,
                              const std::vector<int>& looks);

}  // namespace scenarios::cli

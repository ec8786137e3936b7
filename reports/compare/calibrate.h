// SPDX-License-Identifier: Apache-2.0
// From a stored run of one build against itself to what its machine can tell, and whether margins
// ask for more than that.
#pragma once

#include <string>
#include <vector>

#include "reports/compare/metrics.h"
#include "reports/records/calibration.h"
#include "reports/store/store.h"

namespace reports::compare {

// Of a run of two arms that are the same program. A calibration with reasons is invalid: too much
// failed, a fault was planted, the arms differ. `looks` are those of comparisons to come. Throws
// StoreError.
Calibration calibrate(const Store& store, Id run, const std::vector<int>& looks);

// The honest margin of a metric, as a share, in a comparison with these looks and as many gated
// metrics: the smallest that says "same" with the calibration's goal when nothing changed. nullopt:
// no margin of it can be honest (the plan has no interval, the metric no rounds).
std::optional<double> honest_margin(const Calibration& calibration,
                                    const CalibratedMetric& metric,
                                    const std::vector<int>& looks,
                                    int gated);

// One sentence for each margin that is smaller than the honest one under these looks.
std::vector<std::string> margins_too_small(const Calibration& calibration,
                                           const Margins& margins,
                                           const std::vector<int>& looks);

// How many of `margins` are of metrics that the calibration has.
int gated(const Calibration& calibration, const Margins& margins);

// "calibrated 2026-12-07T11:40:00Z from 24 rounds (run 3)".
std::string calibration_words(const Calibration& calibration);

}  // namespace reports::compare

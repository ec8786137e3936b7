// SPDX-License-Identifier: Apache-2.0
// Samples of now against samples of a baseline: not measured side by side, and so weaker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baselines/gate/timings.h"
#include "reports/records/verdict.h"

namespace baselines {

struct StoredDecision {
    reports::Verdict verdict = reports::Verdict::inconclusive;
    std::optional<double> ratio;                      // now / then, exp of the Hodges-Lehmann shift
    std::optional<reports::ChangeInterval> interval;  // of the ratio: decides
    int then = 0, now = 0;                            // samples
    std::string reason;                               // one sentence with its numbers
};

// One of `gated` metrics. Values of 0 have no ratio: inconclusive, with the reason.
StoredDecision against_stored(const TimedMetric& stored,
                              const std::vector<double>& now,
                              double margin,
                              int gated);

}  // namespace baselines

// SPDX-License-Identifier: Apache-2.0
// From a stored run of several arms to what it found.
#pragma once

#include <vector>

#include "reports/compare/metrics.h"
#include "reports/records/verdict.h"
#include "reports/store/store.h"

namespace reports::compare {

// The run has nothing to compare.
struct OneArm : StoreError {
    using StoreError::StoreError;
};

// Reads everything from the store: margins and looks from the run's plan. A run without looks (of
// `tare run`) gets one look at the rounds it has. Throws StoreError, and
// OneArm when the run has fewer than two.
ComparisonReport load_comparison(const Store& store, Id run);

// Whether every gated metric of every pair of `arms` is decided by the first `rounds` timed rounds
// that count, whatever was run after them.
bool is_decided(const Store& store,
                Id run,
                int rounds,
                const std::vector<std::string>& arms,
                const std::vector<int>& looks,
                const Margins& margins);

// Verdict and exit code of a pair from what was found: invalid 4, regressed 1, inconclusive 3, else
// 0; tokens or exact counts that differ are 1 even when timings are invalid.
void conclude(PairVerdict& pair, const std::vector<ArmSummary>& arms, const std::string& invalid);

int exit_code(Verdict verdict);

}  // namespace reports::compare

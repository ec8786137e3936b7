// SPDX-License-Identifier: Apache-2.0
// Counts, tokens and losses of a run, held against a baseline. No tolerance: equal or not.
#pragma once

#include <string>
#include <vector>

#include "baselines/gate/baseline.h"
#include "baselines/gate/verdict.h"
#include "reports/records/report.h"

namespace baselines {

// "", or why the run is of something else than the baseline and cannot be held against it.
std::string why_not_comparable(const Baseline& baseline, const reports::Report& report);

// Counts of every arm. A value that differs, a count that is new, gone, or no longer constant is a
// regression; where trials are invalid and nothing differs, the check is invalid.
std::vector<Check> check_counts(const Baseline& baseline, const reports::Report& report);

// Generated tokens and losses of every arm, with the first divergence by request and position.
std::vector<Check> check_tokens(const Baseline& baseline, const reports::Report& report);

// What a new file would change, in words.
std::vector<std::string> changes(const Baseline& from, const Baseline& to);

}  // namespace baselines

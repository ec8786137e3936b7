// SPDX-License-Identifier: Apache-2.0
// Times held against a baseline: pure functions from what was measured to checks.
#pragma once

#include <string>
#include <vector>

#include "baselines/gate/timings.h"
#include "baselines/gate/verdict.h"
#include "reports/records/verdict.h"

namespace baselines {

// What the times of a gate belong to.
struct Subject {
    std::string scenario, scenario_sha256, backend, machine_class;
};

// "", or why times of `subject` cannot be held against the file.
std::string why_not_comparable(const TimingBaseline& baseline, const Subject& subject);

// One check of no metric in particular.
Check timings_check(const std::string& arm, Outcome outcome, std::string reason);

// Every gated metric of a comparison in which A was the baseline's commit and B what is at hand.
// `against` says so; `run` is the stored comparison.
std::vector<Check> interleaved_checks(const reports::PairVerdict& pair,
                                      const std::string& arm,
                                      const std::string& against,
                                      reports::Id run);

// Samples of a run of now against those of the file: marked as weaker. A metric, a unit or an arm
// that one side lacks is invalid.
std::vector<Check> stored_checks(const TimingBaseline& baseline,
                                 const std::vector<reports::compare::TimedSamples>& now,
                                 const Margins& margins,
                                 reports::Id run);

// Counts that are exact for this machine class alone; none where the file has none.
std::vector<Check> class_count_checks(const TimingBaseline& baseline,
                                      const reports::Report& report);

}  // namespace baselines

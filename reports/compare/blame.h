// SPDX-License-Identifier: Apache-2.0
// Which kernels' time changed between two arms, and how a phase's change adds up.
#pragma once

#include <string>
#include <vector>

#include "reports/compare/metrics.h"
#include "reports/compare/observations.h"
#include "reports/records/verdict.h"

namespace reports::compare {

// Times are exposed ns per rep: when only that kernel ran. Ops of one thread never overlap, so on
// the CPU they are the kernels' own times. Largest |delta| first.
struct Blame {
    std::vector<BlameRow> roles;    // role x phase
    std::vector<BlameRow> kernels;  // ops (all layers together, '*' in the path) and single paths
    std::vector<BlameRow> paths;    // ops that have several kernels: their totals
    std::vector<UnsteadyKernel> unsteady;
};

Blame find_blame(const std::vector<KernelSeries>& series,
                 const std::string& a,
                 const std::string& b);

// Of every phase that was profiled. `timed` are the verdicts on the timed metrics: what profiled
// rounds do not share with them is the row "profiling".
std::vector<Waterfall> waterfalls(const Observations& observations,
                                  const std::string& a,
                                  const std::string& b,
                                  const std::vector<MetricVerdict>& timed);

}  // namespace reports::compare

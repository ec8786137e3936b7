// SPDX-License-Identifier: Apache-2.0
// Where a phase's change of wall time went, step by step: kernels, what they share, gaps,
// profiling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/verdict.h"
#include "reports/render/text.h"

namespace reports::render {

struct WaterfallStep {
    std::string name;   // a kernel, or "gap.host" as records have it
    std::string about;  // the kernel's path; what else it is
    double delta_ns = 0;
    double from_ns = 0, to_ns = 0;           // sum of the steps before it, and with it
    std::optional<ChangeInterval> interval;  // of delta_ns
    std::string text;                        // "+1.325 ms": all in one unit
};

// What "gap.host" and the like are.
const char* about_step(const std::string& part);

// The unit all of them are printed in.
DurationUnit unit_for(const std::vector<WaterfallStep>& steps);

// Steps in order, "rest" last but one, "wall" last. Printed figures add up to the last digit: what
// rounding and medians leave is in "rest". Kernels are not told apart when the profile explains
// another change than the timed one: then nobody is blamed.
std::vector<WaterfallStep> waterfall_steps(const PairVerdict& pair,
                                           const Waterfall& waterfall,
                                           std::size_t most_kernels);

}  // namespace reports::render

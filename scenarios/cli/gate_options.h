// SPDX-License-Identifier: Apache-2.0
// What `tare gate` is asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/cli/gate_run.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/options.h"

namespace scenarios::cli {

struct GateOptions {
    std::vector<std::string> scenarios;
    std::vector<std::string> only;
    bool accept = false, self_test = false;
    std::string reason, baselines;
    std::string against = "commit";    // or "stored"
    std::vector<std::string> margins;  // METRIC=P%
    std::optional<int> rounds;         // of timings
    MeasuringOptions measuring;
    OutputOptions output;
};

struct ChecksAsked {
    ExactChecks exact;
    bool timings = true;

    bool any_exact() const { return exact.counts || exact.tokens; }
};

// --only, or everything.
ChecksAsked checks_asked(const GateOptions& options);

}  // namespace scenarios::cli

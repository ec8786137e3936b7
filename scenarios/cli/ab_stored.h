// SPDX-License-Identifier: Apache-2.0
// From a stored comparison back to what it measures, and whether that is still what lies there.
#pragma once

#include "reports/records/report.h"
#include "scenarios/cli/context.h"
#include "scenarios/run/rounds.h"

namespace scenarios::cli {

struct StoredComparison {
    run::Options options;
    run::RoundsPlan rounds;
};

// Everything of the plan comes from `stored`. Throws UsageError with both values where what is
// there now (scenario, prompt, programs, machine, tare, environment, order of rounds) is not what
// was measured.
StoredComparison recreate(const reports::Report& stored, const Context& context);

// The same for what only the programs themselves say: the model they read. Throws UsageError, and
// std::runtime_error for an arm that was measured and cannot be started now.
void check_greetings(const reports::Report& stored,
                     const run::Options& options,
                     const run::Preflight& preflight);

}  // namespace scenarios::cli

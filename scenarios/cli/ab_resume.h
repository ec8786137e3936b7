// SPDX-License-Identifier: Apache-2.0
// tare ab --resume RUN: a comparison that was cut off goes on as planned.
#pragma once

#include <string>

#include "scenarios/cli/context.h"
#include "scenarios/cli/verdict_output.h"

namespace scenarios::cli {

struct ResumeOptions {
    std::string run;  // number, or latest
    std::string store;
    bool quiet = false;
    VerdictOutput output;
};

// Nothing of the plan may be given anew. Throws UsageError naming the first option that is.
void refuse_options_of_the_plan(const CLI::App& command, const std::string& run);

// Throws UsageError for a run that is finished, goes on elsewhere, or measures what is no longer
// there.
int resume_comparison(const ResumeOptions& options, const Context& context);

}  // namespace scenarios::cli

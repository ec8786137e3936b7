// SPDX-License-Identifier: Apache-2.0
// How the end of a comparison is told, of a new one and of one that went on.
#pragma once

#include <string>

#include "reports/store/store.h"
#include "scenarios/cli/verdict_output.h"
#include "scenarios/run/progress.h"
#include "scenarios/run/rounds.h"

namespace scenarios::cli {

struct Ending {
    std::string text;  // the comparison as it is written
    int exit_code = 0;
};

// Keeps the verdict with the run. `store_option` is --store as given: the way to go on that is told
// works with it.
Ending end_comparison(reports::Store& store,
                      const run::Result& result,
                      const VerdictOutput& output,
                      const std::string& store_option,
                      run::Progress& progress);

}  // namespace scenarios::cli

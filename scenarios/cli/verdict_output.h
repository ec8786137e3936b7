// SPDX-License-Identifier: Apache-2.0
// How a comparison's verdict is written: shared by the subcommands that give one.
#pragma once

#include <string>

#include "reports/records/verdict.h"
#include "reports/store/store.h"

namespace CLI {
class App;
}

namespace scenarios::cli {

struct VerdictOutput {
    std::string format = "table";
    std::string out;  // file; empty: stdout
    int top = 10;
};

void add_verdict_output(CLI::App& command, VerdictOutput& output);

// Before hours are spent. Throws UsageError.
void check_verdict_output(const VerdictOutput& output, std::size_t comparisons);

// Of a stored run. Throws UsageError when there is no such run, and when it has one arm.
reports::ComparisonReport load_verdict(const reports::Store& store, const std::string& run);

// `store` is where the run's breakdown is, which the HTML page shows besides.
std::string render_verdict(const reports::Store& store,
                           const reports::ComparisonReport& report,
                           const VerdictOutput& output);

}  // namespace scenarios::cli

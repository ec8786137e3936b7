// SPDX-License-Identifier: Apache-2.0
// Two columns of a CSV file as pairs: one round a line.
#pragma once

#include <string>
#include <vector>

#include "reports/stats/paired.h"

namespace scenarios::cli {

struct PairedColumns {
    std::string a, b;  // names; "": a column named so, else the only two columns there are
};

struct PairedCsv {
    PairedColumns columns;                            // those that were read
    std::vector<reports::stats::PairedRound> rounds;  // `round` is the line, from 1
};

// RFC 4180; a first line of numbers alone is no header, its columns are called 1, 2, … An empty
// cell, and one that a short line lacks, is a value that is missing. Anything else that is no
// finite number above 0 throws UsageError with line and column, as does a column that is not there.
PairedCsv read_paired_csv(const std::string& file, const PairedColumns& columns);

}  // namespace scenarios::cli

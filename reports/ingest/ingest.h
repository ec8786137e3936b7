// SPDX-License-Identifier: Apache-2.0
// From the raw files of a trial to the derived tables. Runs again at `tare store rebuild`, so it
// reads nothing but raw files and the rows written while the run went on.
//
// Raw files of a trial, in Store::raw_folder(run), named by trial id:
//   <trial>.lines       the engine's JSON lines (protocol 1), as printed
//   <trial>.stdout      of a command, as printed; nothing is read out of it
//   <trial>.results     a command's metric lines
//   <trial>.capture     written by the probe (profiled trials)
//   <trial>.conditions  one JSON object a line: {"raw_ns","name","value","unit"}
//   <trial>.stderr      end of the process's stderr
//   <trial>.<host>.<pid>.capture  of a process that the traced one started
// After ingest each is compressed in place to <name>.zst, and listed with the sha256 of what lies
// there.
#pragma once

#include "reports/store/store.h"

namespace reports::ingest {

struct Outcome {
    bool valid = false;
    std::vector<std::string> reasons;  // why not, one per breach
    std::int64_t capture_records = 0;
    double seconds = 0;  // host time ingest took
};

// Reads the raw files of one finished trial, replaces its derived rows, compresses the files.
// A file that is missing, truncated or of an unknown protocol makes the trial invalid with the
// reason; it is never an exception. Throws StoreError when the store itself fails,
// RawFileUnreachable when the disk does; nothing is replaced then.
Outcome ingest_trial(Store& store, Id trial);

struct Rebuilt {
    int trials = 0;
    std::vector<std::string> kept;  // trials left as they are, one sentence each
};

// `tare store rebuild`: every derived table from raw files. A trial whose raw files were pruned,
// are gone, changed or damaged keeps the figures it has: they are all there is. So does one of a
// run that is still going on. Listed files stay as they are; a hash that was not recorded is.
// Throws RawFileUnreachable when a file cannot be read now or a place is at fault (no space, no
// permission, no descriptor left); the trials before it are done, none is lost.
Rebuilt rebuild(Store& store);

}  // namespace reports::ingest

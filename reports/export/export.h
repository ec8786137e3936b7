// SPDX-License-Identifier: Apache-2.0
// A stored run in formats that other tools read. Every function writes piece by piece, in memory
// that does not grow with the number of ranges, and throws ExportError when the trials' raw files
// are gone or damaged.
#pragma once

#include <vector>

#include "reports/export/sink.h"
#include "reports/records/report.h"
#include "reports/store/store.h"

namespace reports::exports {

// Trace Event Format, as Perfetto and chrome://tracing open it: one process per traced process.
void chrome_trace(const Store& store,
                  const Report& report,
                  const std::vector<TrialRow>& trials,
                  const Sink& sink);

// RFC 4180, the unit of every number in its column's name. One row per
// ranges:  range of the captures, as the process finished them: children before their parents
// kernels: trial, rep, path and kernel
// samples: value of a metric in a trial or rep
void csv_ranges(const Store& store,
                const Report& report,
                const std::vector<TrialRow>& trials,
                const Sink& sink);
void csv_kernels(const Store& store, const std::vector<TrialRow>& trials, const Sink& sink);
void csv_samples(const Store& store, const std::vector<TrialRow>& trials, const Sink& sink);

}  // namespace reports::exports

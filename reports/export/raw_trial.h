// SPDX-License-Identifier: Apache-2.0
// The raw files of a trial, for exports that read them again.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/ingest/engine_lines.h"
#include "reports/store/store.h"

namespace reports::exports {

// What was asked for cannot be made from what is there; the message says what to do.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A place that the person chose cannot be used.
struct PlaceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Each of these throws ExportError for files that differ from what was stored: what is made of them
// would not be the run's.

// Captures of all traced processes of the trial, the engine's first, as paths before compression.
// None: it was not profiled, or the probe was not loaded. Throws ExportError when every raw file
// of the trial is gone.
std::vector<std::filesystem::path> captures_of(const Store& store, Id run, const TrialRow& row);

// Throws ExportError when the lines are gone or cannot be read.
ingest::EngineLines lines_of(const Store& store, Id run, Id trial);

// Observations while the trial ran; none when nothing was observed.
std::vector<Condition> conditions_of(const Store& store, Id run, Id trial);

}  // namespace reports::exports

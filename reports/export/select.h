// SPDX-License-Identifier: Apache-2.0
// Which trials of a run an export is made of.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/records/report.h"

namespace reports::exports {

// The run has no such trial; the message says which it has.
struct SelectionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Selection {
    std::optional<Id> trial;   // this one, valid or not
    std::optional<Mode> mode;  // else the valid ones of this mode; where none is valid, all of them
};

struct Selected {
    std::vector<TrialRow> trials;    // in the order they ran
    std::vector<std::string> notes;  // what was left out and why, one line each
};

// The arm that a trial of the run belongs to.
const Report& arm_of(const Report& run, Id trial);

// Neither trial nor mode: the profiled ones. Throws SelectionError when nothing is left.
Selected select(const Report& report, const Selection& selection);

}  // namespace reports::exports

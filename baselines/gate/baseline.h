// SPDX-License-Identifier: Apache-2.0
// What a scenario's run must repeat on every machine: exact counts, tokens and losses. A text file
// (tare.baseline/1) that a reviewer reads in a diff; written by `tare gate --accept` alone.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/report.h"

namespace baselines {

// The message names the place in the file, the value seen and the accepted form.
struct BaselineError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ArmBaseline {
    std::string name;                         // of the scenario's arm; "a" where it names none
    std::vector<reports::CountRow> counts;    // exact ones
    std::vector<reports::OutputRow> outputs;  // by request
    std::vector<reports::LossRow> losses;     // by request
};

// Why the file says what it says. Earlier ones stay listed.
struct Acceptance {
    std::string date;                  // UTC, ISO 8601
    std::string commit;                // of the build; "unknown" where it does not say
    bool dirty = false;                // the build had changes that are in no commit
    std::string reason;                // as given
    std::vector<std::string> changes;  // against the file before, in words; empty for the first
};

struct Baseline {
    std::string scenario;                     // name
    std::string scenario_sha256;              // identity; results of others are never compared
    std::optional<std::string> model_sha256;  // null: not known
    std::string backend;                      // "cpu"
    std::vector<ArmBaseline> arms;
    std::vector<Acceptance> accepted;  // oldest first
};

std::string to_text(const Baseline& baseline);

// Throws BaselineError.
Baseline parse_baseline(std::string_view text);

// Of a valid run; `accepted` is left empty. Counts that vary between trials are left out.
Baseline baseline_of(const reports::Report& report);

}  // namespace baselines

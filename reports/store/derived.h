// SPDX-License-Identifier: Apache-2.0
// Derived rows of one trial: replaced as a whole, in one transaction.
#pragma once

#include "reports/records/derived.h"
#include "reports/store/store.h"

namespace reports::store {

// Tables that hold nothing but what ingest derives; each row belongs to a trial.
inline constexpr const char* derived_tables[] = {
    "sample",   "condition", "phase_stat", "capture_stat", "kernel_stat",   "loss",
    "identity", "count",     "output",     "text_loss",    "command_sample"};

// What ingest has to know of a trial beyond its raw files.
struct TrialFacts {
    Id run = 0;
    Mode mode = Mode::timed;
    bool process_valid = false;
    std::string process_reason;
    std::int64_t spawn_raw_ns = 0, exit_raw_ns = 0;
    std::vector<std::string> command;  // of the trial's arm
    std::optional<std::string> commit, model_sha256;
    std::string prompt_sha256;
    bool is_command = false;  // no engine: the workload is a command of the scenario's own
};

// Throws StoreError when there is no such trial.
TrialFacts trial_facts(const Store& store, Id trial);
std::vector<Id> all_trials(const Store& store);

// The trial is valid when its process was and `derived` has no reasons.
void replace_derived(Store& store, Id trial, const Derived& derived);
void replace_raw_files(Store& store, Id trial, const std::vector<RawFile>& files);

}  // namespace reports::store

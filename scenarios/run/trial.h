// SPDX-License-Identifier: Apache-2.0
// One trial: one process, watched from start to end, its raw files written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"
#include "scenarios/run/hello.h"
#include "scenarios/run/interrupt.h"
#include "scenarios/run/process.h"

namespace scenarios::run {

// Same for every trial of an arm.
struct TrialSetting {
    std::vector<std::string> argv;
    std::map<std::string, std::string> environment = {};  // on top of the caller's
    std::filesystem::path probe;                          // of profiled trials
    std::string prompt_sha256;                            // what the engine must say it read
    double time_limit_s = 60;                             // whole process
    bool planted = false;                                 // a fault stands in argv
    bool is_command = false;     // no engine: its stdout says nothing, $TARE_RESULT_FILE does
    std::string directory = {};  // it starts there; empty: where we are
};

struct TrialResult {
    reports::Trial trial;
    bool interrupted = false;
    // From the start of the process to its first measured rep; null: it did not come so far.
    std::optional<std::int64_t> warm_up_ns;
    std::optional<Hello> hello;
};

// Seconds a process may go without output once its warm-up is known: 10 times that, at least 5.
double silence_limit_s(std::int64_t warm_up_ns);

// Why the process did not end as it should, in words; empty when it did.
std::string describe_end(const Exit& exit);

// `stem` is raw/<run>/<trial>. `warm_up_ns` is the longest warm-up seen in this run so far.
// Throws FileError when a raw file cannot be written.
TrialResult run_trial(const TrialSetting& setting,
                      const reports::Trial& turn,
                      const std::filesystem::path& stem,
                      std::optional<std::int64_t> warm_up_ns,
                      const Interrupt& interrupt);

}  // namespace scenarios::run

// SPDX-License-Identifier: Apache-2.0
// What is measured and under which circumstances: the rows written while a run goes on.
// Words are those of the glossary in CONTRIBUTING.md. Unknown is nullopt, with the reason in
// `missing`; never 0 and never an empty string.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reports {

using Id = std::int64_t;                             // primary key; 0: not stored yet
using Missing = std::map<std::string, std::string>;  // field -> why it is not known

// Machine class: GPU name, SM count, memory, MIG profile, driver major, toolkit minor; on a CPU
// vendor, family, model, ISA level, cores.
struct Machine {
    std::string machine_class;
    std::string hostname;
    std::string cpu_model;  // as /proc/cpuinfo names it
    int cores = 0;
    std::int64_t memory_bytes = 0;
    std::string kernel;  // uname -r
    std::optional<std::string> gpu_name, gpu_uuid, driver;
    Missing missing;
};

// The binary of the process under test.
struct Build {
    std::string binary_path;
    std::string binary_sha256;
    std::optional<std::string> commit, dirty_diff_sha256, compiler, flags;
    std::optional<int> protocol;
    Missing missing;
};

struct Model {
    std::string name;
    std::optional<std::string> sha256;
    Missing missing;
};

// The resolved scenario: all values after overrides. Its sha256 is its identity; results of
// different identities are never compared.
struct Scenario {
    std::string name;
    std::string resolved_json;  // canonical: sorted keys, no white space
    std::string sha256;
    std::string prompt_sha256;
};

enum class Mode : std::uint8_t { timed, profiled, counters };
const char* name(Mode mode);
std::optional<Mode> mode_from(std::string_view name);  // nullopt: no such mode

// Written before the first round and never changed after it.
struct Plan {
    int timed_rounds = 0;
    int profiled_rounds = 0;
    int warm_up = 0;  // unmeasured reps inside each trial
    int reps = 0;     // measured reps inside each trial
    std::uint64_t seed = 0;
    double time_limit_s = 0;  // per trial
    std::string json;         // the whole plan, for the reader
};

struct Arm {
    std::string name;                                // "a" where the scenario names none
    std::vector<std::string> command;                // argv
    std::map<std::string, std::string> environment;  // what was set beyond the caller's own
    std::vector<std::string> arguments = {};         // those of `command` that are this arm's own
    std::string about = {};                          // one sentence, as the scenario has it
    std::string spec = {};         // as written on the command line: "main+args:..."; may be empty
    std::string why_invalid = {};  // why it could not be started; empty when it could
};

// One arm's process in one round.
struct Trial {
    int round = 0;     // from 0
    int position = 0;  // within the round, from 0
    Mode mode = Mode::timed;
    bool planted = false;  // a fault was compiled into the command or the probe's environment
    bool valid = false;
    std::string reason;       // why it is not valid; empty when it is
    std::string voided = {};  // why it counts for nothing, whatever it was; empty when it counts
    std::optional<int> exit_code, signal;
    bool timed_out = false;
    std::int64_t spawn_raw_ns = 0;  // CLOCK_MONOTONIC_RAW just before the process was started
    std::int64_t exit_raw_ns = 0;
    std::int64_t start_real_ns = 0;
};

// An observation of the machine while a trial ran. Observed, never set.
struct Condition {
    std::int64_t raw_ns = 0;
    std::string name;  // "load_1m", "cpu_mhz_mean", "cpu_busy_other_share", "temperature_c"
    double value = 0;
    std::string unit;
};

// Direction of a metric: which way is worse is a property of the metric, never of a report.
enum class Direction : std::uint8_t { lower, higher, exact, none };
const char* name(Direction direction);
std::optional<Direction> direction_from(std::string_view name);  // nullopt: no such direction

struct Run {
    Id id = 0;
    std::string started_utc;  // ISO 8601
    std::vector<std::string> command_line;
    std::string suite_commit;  // the `tare` that measured
    std::string backend;       // "cpu"
    std::string kind = "run";  // "ab", "calibrate", "gate", "self-test"
    std::string status;        // "running", "finished", "interrupted", "failed"
    std::string note;
};

}  // namespace reports

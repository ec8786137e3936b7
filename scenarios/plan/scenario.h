// SPDX-License-Identifier: Apache-2.0
// A scenario: what is run. Read from TOML, variant applied, prompt loaded: nothing is left open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/plan/build_recipe.h"

namespace scenarios::plan {

enum class Workload : std::uint8_t { prefill, decode, score, command };
const char* name(Workload workload);

// One text of a prompt: workload "score" has several, the others one without a name.
struct Text {
    std::string name;
    std::vector<std::int32_t> tokens;
};

// One side of a scenario that measures several: what it adds to the engine's command line and
// environment. A scenario without arms has none of these and runs as arm "a".
struct Arm {
    std::string name;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;
    std::string about;
};

struct Prompt {
    std::vector<std::int32_t> tokens;  // of all texts, one behind the other
    std::vector<std::int64_t> texts;   // tokens of each text
    std::string sha256;                // of the tokens as little-endian int32
    std::string origin;  // "prompts/long4314.json" or "seed 7", as written, for the reader
    std::string spec;    // FILE or FILE.safetensors:NAME with an absolute path; empty: from a seed
};

// A metric a gate would judge. Stored with the run; nothing here gives a verdict.
struct Metric {
    std::string name;
    double margin = 0;  // share: 0.02 is two per cent
};

// In a command: the arm's program.
inline constexpr const char* program_mark = "{program}";

struct Scenario {
    std::string file;  // as given on the command line or found
    std::string name;
    std::string about;
    std::string backend;  // "cpu" or "cuda": which variant was applied
    std::string model;    // as written
    std::filesystem::path model_folder;
    Prompt prompt;
    Workload workload = Workload::prefill;
    int decode_tokens = 0;               // decode only
    std::vector<std::string> arguments;  // appended to the engine's command line
    std::vector<std::string> command;    // workload command only: argv, with program_mark
    std::filesystem::path directory;     // where a command runs; no part of the identity
    int warm_up = 0;                     // unmeasured reps inside each trial
    int reps = 0;                        // measured reps inside each trial
    int rounds = 0;                      // timed trials
    int profiled_rounds = 0;             // profiled trials
    std::optional<double> time_limit_s;  // per trial; nullopt: derived from the warm-up
    std::vector<Metric> metrics;         // sorted by name
    std::vector<Arm> arms;               // as written; empty: one arm without words of its own
    std::optional<BuildRecipe> build;    // how a git ref becomes an engine; no part of the identity
};

// Canonical JSON of everything that decides what a trial does and how its figures are made: sorted
// keys, no white space, nothing that depends on where files lie. `about` is left out (a better
// sentence is not another scenario), the prompt goes in by its hash.
std::string canonical_json(const Scenario& scenario);

// Whether the arms' programs have a place in the command.
bool takes_program(const Scenario& scenario);

// sha256 of canonical_json(): the identity. Results of different identities are never compared.
std::string identity(const Scenario& scenario);

}  // namespace scenarios::plan

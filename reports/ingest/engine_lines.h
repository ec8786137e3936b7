// SPDX-License-Identifier: Apache-2.0
// The JSON lines a process under test prints (INTERFACES: "Harness and engine"), read by the
// number of their protocol. What is wrong with them is said in words with the line's number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reports::ingest {

struct RepLine {
    std::string phase;
    int rep = 0;
    std::int64_t begin_ns = 0, end_ns = 0;  // CLOCK_MONOTONIC_RAW
    std::int64_t tokens = 0;
    std::int64_t ops = 0;
};

struct CountersLine {
    std::string phase;
    int rep = 0;
    std::optional<std::int64_t> ops_planned, expert_rows_asked, expert_rows_planned,
        expert_rows_done, experts_hit;
};

struct OutputLine {
    int request = 0;
    std::vector<std::int64_t> tokens;
    std::vector<double> margins;
    std::string sha256;
};

struct LossLine {
    int request = 0;
    std::string name;
    std::int64_t tokens = 0;
    double nll_sum = 0, nll_mean = 0;
    std::string sha256;
};

struct MemoryLine {
    std::optional<std::int64_t> planned_bytes, used_bytes, scratch_planned_bytes,
        scratch_used_bytes, state_bytes, weights_bytes, peak_bytes;
};

struct EngineLines {
    std::optional<int> protocol;
    std::optional<std::string> clock, commit, model_sha256, prompt_sha256;
    std::optional<std::string> moe;  // "gather", "dense"; nullopt: an engine that has no choice
    std::vector<std::string> faults;
    std::vector<RepLine> reps;
    std::map<std::pair<std::string, int>, std::size_t> rep_index;  // (phase, rep) -> reps
    std::vector<CountersLine> counters;
    std::vector<OutputLine> outputs;
    std::vector<LossLine> losses;
    std::optional<MemoryLine> memory;
    bool ended = false;
    std::optional<std::int64_t> first_token_ns;
    std::vector<std::string> problems;  // each makes the trial invalid
    std::size_t more_problems = 0;      // left out of them while reading

    const RepLine* find_rep(const std::string& phase, int rep) const;  // nullptr: no such line
};

// From memory alone, whatever the bytes are; throws nothing but std::bad_alloc.
EngineLines read_engine_lines(std::string_view text);

// Protocols this build has a reader for, ascending.
std::vector<int> known_protocols();

}  // namespace reports::ingest

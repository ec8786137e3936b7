// SPDX-License-Identifier: Apache-2.0
// The lines of `bench --json` that a harness reads: protocol 1. Fields are only ever added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/commands/phase.h"
#include "engine/model/model.h"

namespace engine::commands::protocol {

struct Hello {
    const model::Model* model = nullptr;
    std::string backend;
    int threads = 0;
    std::string isa;
    std::string precision;
    std::string moe;
    std::size_t prompt_tokens = 0;
    std::string prompt_sha256;
    std::optional<std::size_t> prompt_texts;  // where there may be several
    std::vector<std::string> faults;
};

struct Memory {
    std::uint64_t scratch_planned_bytes = 0;
    std::uint64_t scratch_used_bytes = 0;
    std::uint64_t thread_scratch_planned_bytes = 0;  // apart from scratch: it follows the threads
    std::uint64_t thread_scratch_used_bytes = 0;
    std::uint64_t state_bytes = 0;    // planned is used: it is taken whole at the start
    std::uint64_t weights_bytes = 0;  // as above: mapped
    std::uint64_t peak_bytes = 0;     // of the process, resident
};

struct Output {
    std::int64_t request = 0;
    std::vector<std::int32_t> tokens;
    std::vector<double> margins;
};

struct Loss {  // of one text
    std::int64_t request = 0;
    std::string name;
    std::size_t tokens = 0;  // scored: all but the first
    double nll_sum = 0;
    std::optional<double> nll_mean;  // unknown of a text of one token
    std::string sha256;              // of every token's loss as little-endian float64
};

std::string hello_line(const Hello& hello);
std::string rep_line(const PhaseRun& run, std::int64_t rep);
std::string counters_line(const PhaseRun& run, std::int64_t rep, const PhasePlan& plan);
std::string output_line(const Output& output);
std::string loss_line(const Loss& loss);
std::string memory_line(const Memory& memory);
std::string end_line(std::int64_t first_token_ns);

}  // namespace engine::commands::protocol

// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands share, and what they become.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/session.h"

namespace CLI {
class App;
}

namespace engine::commands {

struct EngineOptions {
    std::string model;
    std::string config;  // geometry of a synthetic model
    std::string tokens;
    std::string tokens_file;
    std::optional<std::string> prompt;       // text, may be empty
    std::optional<std::string> prompt_file;  // a file of text
    bool bos = false;                        // put the id that begins a text first
    std::string backend = "cpu";
    std::string precision = "f32";
    std::string isa = "auto";
    std::string moe = "gather";
    int threads = 0;  // 0: one per core
    std::vector<std::string> faults;
    bool json = false;
    std::int64_t prefill_chunk = 0;  // tokens per call of a prompt; 0: all in one
    bool several_texts = false;      // --tokens-file may hold more than one
};

void add_model_option(CLI::App& app, EngineOptions& options);
void add_backend_options(CLI::App& app, EngineOptions& options);  // how it is run
void add_token_options(CLI::App& app, EngineOptions& options);    // ids, text, and those refused
void add_id_options(CLI::App& app, EngineOptions& options);
void add_prompt_options(CLI::App& app, EngineOptions& options);
void add_chunk_option(CLI::App& app, EngineOptions& options);
void add_fault_option(CLI::App& app, EngineOptions& options);
void add_json_option(CLI::App& app, EngineOptions& options);

// Throws UsageError for a backend that this build lacks.
void check_backend(const EngineOptions& options);

model::SessionOptions session_options(const EngineOptions& options);

}  // namespace engine::commands

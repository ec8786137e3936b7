// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands share, and what they become.
#pragma once

#include <string>
#include <vector>

#include "engine/model/session.h"

namespace CLI {
class App;
}

namespace engine::commands {

struct EngineOptions {
    std::string model;
    std::string tokens;
    std::string tokens_file;
    std::string backend = "cpu";
    std::string precision = "f32";
    std::string isa = "auto";
    int threads = 0;  // 0: one per core
    std::vector<std::string> faults;
    bool json = false;
};

void add_model_option(CLI::App& app, EngineOptions& options);
void add_backend_options(CLI::App& app, EngineOptions& options);  // how it is run
void add_token_options(CLI::App& app, EngineOptions& options);    // and those refused for now
void add_fault_option(CLI::App& app, EngineOptions& options);
void add_json_option(CLI::App& app, EngineOptions& options);

// Throws UsageError for a backend that this build lacks.
void check_backend(const EngineOptions& options);

model::SessionOptions session_options(const EngineOptions& options);

}  // namespace engine::commands

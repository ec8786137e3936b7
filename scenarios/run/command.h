// SPDX-License-Identifier: Apache-2.0
// Command lines of the process under test.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/run/run.h"

namespace scenarios::run {

// Of the engine, or of the scenario's own command. `prompt` is what --tokens-file takes.
std::vector<std::string> bench_command(const Options& options,
                                       const ArmUnderTest& arm,
                                       const std::string& prompt);

// The shortest bench there is: for the hello line, before the plan is written. Without the
// caller's own arguments, so that a planted fault strikes in trials only.
std::vector<std::string> greeting_command(const Options& options);

// How a command finds `word` of its argv as its program: in PATH, else below `directory`.
std::filesystem::path program_of(const std::string& word, const std::filesystem::path& directory);

// An argument that plants a fault: "--fault" or "--fault=...".
bool plants_fault(const std::vector<std::string>& argv);

}  // namespace scenarios::run

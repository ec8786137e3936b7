// SPDX-License-Identifier: Apache-2.0
// The engine's command lines.
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/run.h"

namespace scenarios::run {

// `prompt` is what --tokens-file takes.
std::vector<std::string> bench_command(const Options& options,
                                       const ArmUnderTest& arm,
                                       const std::string& prompt);

// The shortest bench there is: for the hello line, before the plan is written. Without the
// caller's own arguments, so that a planted fault strikes in trials only.
std::vector<std::string> greeting_command(const Options& options);

// An argument that plants a fault: "--fault" or "--fault=...".
bool plants_fault(const std::vector<std::string>& argv);

}  // namespace scenarios::run

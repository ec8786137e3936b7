// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, measured by the engine in a process of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "reports/records/report.h"
#include "scenarios/run/interrupt.h"

namespace scenarios::run {

// Figures that are not known are null and `how` says why.
reports::Roof measure_roof(const std::filesystem::path& engine,
                           std::optional<int> threads,
                           const Interrupt& interrupt);

reports::Roof parse_roof(const std::string& line);

}  // namespace scenarios::run

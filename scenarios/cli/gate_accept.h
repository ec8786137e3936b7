// SPDX-License-Identifier: Apache-2.0
// What is measured now becomes the baseline, with the reason it is right.
#pragma once

#include <filesystem>
#include <optional>

#include "scenarios/cli/gate_options.h"

namespace scenarios::cli {

// What is not valid, or was planted, never becomes a baseline; times of a build that nobody could
// build again neither. nullopt: interrupted.
std::optional<baselines::GateVerdict> accept_baseline(plan::Scenario scenario,
                                                      const GateOptions& options,
                                                      const Gating& with,
                                                      const std::filesystem::path& folder);

}  // namespace scenarios::cli

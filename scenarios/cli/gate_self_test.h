// SPDX-License-Identifier: Apache-2.0
// Proof that the gate can fail: each fault is planted by itself and must be reported for its own
// reason, and a program without one must pass.
#pragma once

#include <optional>

#include "scenarios/cli/gate_run.h"

namespace scenarios::cli {

// One check a fault: passed when the gate reported it as it should. nullopt: interrupted. Throws
// UsageError for a scenario that generates no tokens, or has arms of its own.
std::optional<baselines::GateVerdict> gate_self_test(plan::Scenario scenario, const Gating& with);

}  // namespace scenarios::cli

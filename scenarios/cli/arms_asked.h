// SPDX-License-Identifier: Apache-2.0
// What subcommands that compare arms share: from words to programs, and from margins to looks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/store/store.h"
#include "scenarios/build/arms.h"
#include "scenarios/run/rounds.h"

namespace scenarios::cli {

// The scenario's metrics with those of --margin METRIC=P% on top. Throws plan::MarginSyntax.
std::vector<plan::Metric> metrics_of(const plan::Scenario& scenario,
                                     const std::vector<std::string>& margins);

// The engine of `options`, by what it says of itself: nothing else knows which commit it is.
build::AtHand at_hand(const run::Options& options, const run::Interrupt& interrupt);

// Refs are built into builds/ of the store. Throws what build::ready_arms() throws.
std::vector<run::ArmUnderTest> arms_under_test(const std::vector<build::ArmSpec>& specs,
                                               const run::Options& options,
                                               const std::filesystem::path& store,
                                               const run::Interrupt& interrupt,
                                               run::Progress& progress);

// `usual`, or none of a command that opens no ranges: it has nothing to profile.
int profiled_rounds_of(const plan::Scenario& scenario, int usual);

// Whether all gated metrics of `options` are decided, asked at each look of `plan`.
run::Decided decided(reports::Store& store,
                     const run::Options& options,
                     const run::RoundsPlan& plan);

}  // namespace scenarios::cli

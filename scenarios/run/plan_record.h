// SPDX-License-Identifier: Apache-2.0
// The plan as it is stored before the first round.
#pragma once

#include <vector>

#include "reports/records/run.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/rounds.h"
#include "scenarios/run/run.h"

namespace scenarios::run {

constexpr double default_time_limit_s = 60;

reports::Plan plan_record(const Options& options, const std::vector<plan::Turn>& order);

// Of a comparison: looks instead of a fixed number of rounds, and the order of the blocks that are
// planned. Blocks that replace others are drawn from the same seed.
reports::Plan comparison_plan_record(const Options& options, const RoundsPlan& rounds);

}  // namespace scenarios::run

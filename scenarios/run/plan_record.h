// SPDX-License-Identifier: Apache-2.0
// The plan as it is stored before the first round.
#pragma once

#include <vector>

#include "reports/records/run.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/run.h"

namespace scenarios::run {

constexpr double default_time_limit_s = 60;

reports::Plan plan_record(const Options& options, const std::vector<plan::Turn>& order);

}  // namespace scenarios::run

// SPDX-License-Identifier: Apache-2.0
// Who runs when. Rounds come in blocks of two: every arm in a drawn order, then in its reverse. The
// order is drawn per block, as a fixed ABBA repeats every four trials and takes a disturbance of
// that period for a difference between the arms.
#pragma once

#include <cstdint>
#include <vector>

namespace reports::stats {

using ArmOrder = std::vector<int>;  // position -> arm, from 0

// The order of one round of a run's seed: a function of seed, arms and round alone. arms >= 1,
// round >= 0 (std::invalid_argument).
ArmOrder arm_order(std::uint64_t seed, int arms, int round);

std::vector<ArmOrder> arm_orders(std::uint64_t seed, int arms, int rounds);

}  // namespace reports::stats

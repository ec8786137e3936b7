// SPDX-License-Identifier: Apache-2.0
// The order of trials of a comparison: blocks of two rounds, every arm in a drawn order and then in
// its reverse.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/plan/order.h"

namespace scenarios::plan {

// Rounds 2 block and 2 block + 1. In each round the trials of one mode stand side by side, so that
// the arms of a pair are neighbours in time; which mode comes first is drawn for the first round
// and turned round for the second. A function of the seed, the number of arms and the block alone.
std::vector<Turn> block_turns(std::uint64_t seed,
                              std::size_t arms,
                              int block,
                              const std::vector<reports::Mode>& modes);

}  // namespace scenarios::plan

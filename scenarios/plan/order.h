// SPDX-License-Identifier: Apache-2.0
// The order of a run's trials: timed and profiled ones interleaved, drawn from a recorded seed.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/records/run.h"

namespace scenarios::plan {

struct Turn {
    int round = 0;     // from 0
    int position = 0;  // within the round, from 0
    reports::Mode mode = reports::Mode::timed;
    std::size_t arm = 0;  // index into the scenario's arms
};

// max(timed, profiled) rounds; trials of the rarer mode are spread evenly over them, and every arm
// takes part in each. Rounds come in blocks of two: the order of modes and arms is drawn for the
// first round and turned round for the second, so that none of them always runs on the warmer
// machine.
std::vector<Turn> draw_order(int timed, int profiled, std::uint64_t seed, std::size_t arms = 1);

}  // namespace scenarios::plan

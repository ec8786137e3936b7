// SPDX-License-Identifier: Apache-2.0
// The timed trials of a stored run as samples, for what holds them against another day's.
#pragma once

#include <string>
#include <vector>

#include "reports/store/store.h"

namespace reports::compare {

// A metric of one arm: one value per valid timed trial (median over its reps), in order.
struct TimedSamples {
    std::string arm;
    std::string key;   // "decode_wall_ns", as [metrics] of a scenario has it
    std::string name;  // "decode.wall_ns"
    std::string unit;
    Direction direction = Direction::lower;
    std::vector<double> values;
};

std::vector<TimedSamples> load_timed_samples(const Store& store, Id run);

}  // namespace reports::compare

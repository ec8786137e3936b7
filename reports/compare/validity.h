// SPDX-License-Identifier: Apache-2.0
// When too much went wrong for a comparison to say anything. Decided without looking at times.
#pragma once

#include <string>
#include <vector>

namespace reports::compare {

// A block with a trial that failed is run again at the end; beyond this share of the planned rounds
// what is left is no longer a sample of what was planned.
inline constexpr double most_replaced_share = 0.2;

// Failures in one arm alone that make it the arm's fault.
inline constexpr int failures_of_an_arm = 2;

struct ArmFailures {
    std::string name;
    int failed = 0;            // trials that were not valid
    std::string first_reason;  // of the first of them
};

// Empty when arms can be compared; else why not, with the arm's name where it is one arm's fault.
std::string why_not_comparable(const std::vector<ArmFailures>& arms,
                               int replaced_rounds,
                               int planned_rounds);

}  // namespace reports::compare

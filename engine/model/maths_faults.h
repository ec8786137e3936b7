// SPDX-License-Identifier: Apache-2.0
// Arithmetic defects that can be planted in a session, to show that the golden checks see them.
#pragma once

#include <span>
#include <string>

namespace engine::model {

struct MathsFaults {
    bool dt_clamp = false;          // time steps below time_step_min are raised to it
    bool no_router_bias = false;    // experts are picked by plain score
    bool no_routed_scale = false;   // routed_scaling_factor is left out
    bool norm_before_gate = false;  // the Mamba mixer norms first and gates then
    bool no_skip = false;           // y = S C without D x
};

// Throws std::invalid_argument listing the names there are.
MathsFaults parse_maths_faults(std::span<const std::string> names);

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// Defects of arithmetic and of state that can be planted in a session, to show that checks see
// them.
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

    // How a sequence is carried on.
    bool stale_conv_window = false;       // the window is not carried from chunk to chunk
    bool snapshot_drops_state = false;    // a restored session has empty SSM states
    bool snapshot_keeps_nothing = false;  // a restored session is at an empty sequence
    bool unstable_repeat = false;         // low bits of the first row's embedding come from a clock
};

// Throws std::invalid_argument listing the names there are.
MathsFaults parse_maths_faults(std::span<const std::string> names);

}  // namespace engine::model

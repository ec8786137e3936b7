// SPDX-License-Identifier: Apache-2.0
// Names of the ranges of a forward pass, registered once per session.
#pragma once

#include <vector>

#include "engine/model/geometry.h"
#include "engine/trace/tracer.h"

namespace engine::model {

struct Labels {
    explicit Labels(const Geometry& geometry);

    trace::Label embedding{"embedding"}, final_norm{"final_norm"}, lm_head{"lm_head"};
    trace::Label norm{"norm"}, residual{"residual"};
    trace::Label in_proj{"in_proj"}, conv{"conv"}, scan{"scan"}, gate_norm{"gate_norm"},
        out_proj{"out_proj"};
    trace::Label q_proj{"q_proj"}, k_proj{"k_proj"}, v_proj{"v_proj"}, kv_write{"kv_write"},
        attention{"attention"}, o_proj{"o_proj"};
    trace::Label router{"router"}, experts_gather{"experts.gather"}, experts_up{"experts.up"},
        experts_down{"experts.down"}, experts_sum{"experts.sum"}, shared_up{"shared.up"},
        shared_down{"shared.down"};
    trace::Label latent_in{"latent.in"}, latent_out{"latent.out"};
    trace::Label up{"up"}, down{"down"};
    std::vector<trace::Label> layers;  // "layer.03.moe"
};

}  // namespace engine::model

// SPDX-License-Identifier: Apache-2.0
// Names of the arithmetic defects.
#include "engine/model/maths_faults.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string_view>

#include "engine/model/session.h"

namespace engine::model {

namespace {

struct Entry {
    std::string_view name;
    bool MathsFaults::*flag;
};

constexpr std::array entries{
    Entry{"dt_clamp", &MathsFaults::dt_clamp},
    Entry{"no_router_bias", &MathsFaults::no_router_bias},
    Entry{"no_routed_scale", &MathsFaults::no_routed_scale},
    Entry{"norm_before_gate", &MathsFaults::norm_before_gate},
    Entry{"no_skip", &MathsFaults::no_skip},
};

constexpr auto names = [] {
    std::array<std::string_view, entries.size()> result;
    for (std::size_t i = 0; i < entries.size(); ++i) result[i] = entries[i].name;
    return result;
}();

}  // namespace

std::span<const std::string_view> maths_fault_names() {
    return names;
}

MathsFaults parse_maths_faults(std::span<const std::string> wanted) {
    MathsFaults faults;
    for (const std::string& name : wanted) {
        bool known = false;
        for (const Entry& entry : entries) {
            if (entry.name != name) continue;
            faults.*entry.flag = true;
            known = true;
        }
        if (!known) {
            throw std::invalid_argument(fmt::format("maths fault \"{}\" is unknown; there are: {}",
                                                    name, fmt::join(names, ", ")));
        }
    }
    return faults;
}

}  // namespace engine::model

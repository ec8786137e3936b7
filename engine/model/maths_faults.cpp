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

constexpr std::array state_entries{
    Entry{"stale_conv_window", &MathsFaults::stale_conv_window},
    Entry{"snapshot_drops_state", &MathsFaults::snapshot_drops_state},
    Entry{"snapshot_keeps_nothing", &MathsFaults::snapshot_keeps_nothing},
    Entry{"unstable_repeat", &MathsFaults::unstable_repeat},
};

template <std::size_t count>
constexpr auto names_of(const std::array<Entry, count>& table) {
    std::array<std::string_view, count> result;
    for (std::size_t i = 0; i < count; ++i) result[i] = table[i].name;
    return result;
}

constexpr auto names = names_of(entries);
constexpr auto state_names = names_of(state_entries);

// False: the table has no such name.
bool plant(std::span<const Entry> table, std::string_view name, MathsFaults& faults) {
    for (const Entry& entry : table) {
        if (entry.name != name) continue;
        faults.*entry.flag = true;
        return true;
    }
    return false;
}

}  // namespace

std::span<const std::string_view> maths_fault_names() {
    return names;
}

std::span<const std::string_view> state_fault_names() {
    return state_names;
}

MathsFaults parse_maths_faults(std::span<const std::string> wanted) {
    MathsFaults faults;
    for (const std::string& name : wanted) {
        if (plant(entries, name, faults) || plant(state_entries, name, faults)) continue;
        throw std::invalid_argument(fmt::format("maths fault \"{}\" is unknown; there are: {}, {}",
                                                name, fmt::join(names, ", "),
                                                fmt::join(state_names, ", ")));
    }
    return faults;
}

}  // namespace engine::model

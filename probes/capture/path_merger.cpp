// SPDX-License-Identifier: Apache-2.0
// One table of paths for all threads of a capture.
#include "probes/capture/path_merger.h"

namespace probes::capture {

// Far above what the probe hands out: a number beyond it is damage, not a reason to allocate.
constexpr std::uint32_t own_number_limit = 1u << 24;

PathMerger::Outcome PathMerger::add(std::uint32_t thread, PathNode& node) {
    const std::uint32_t own = node.id;
    const std::uint32_t parent = node.parent == 0 ? 0 : find(thread, node.parent);
    if ((node.parent != 0 && parent == 0) || own == 0 || own > own_number_limit) {
        return Outcome::orphan;
    }
    const auto fresh_id = static_cast<std::uint32_t>(ids_.size() + 1);
    const auto [place, is_fresh] =
        ids_.try_emplace(Key(parent, node.name, node.domain, node.category), fresh_id);
    std::vector<std::uint32_t>& table = tables_[thread];
    if (table.size() <= own) {
        table.resize(own + 1);
    }
    table[own] = place->second;
    node.id = place->second;
    node.parent = parent;
    return is_fresh ? Outcome::fresh : Outcome::known;
}

std::uint32_t PathMerger::find(std::uint32_t thread, std::uint32_t own) const {
    const auto table = tables_.find(thread);
    if (table == tables_.end() || own >= table->second.size()) {
        return 0;
    }
    return table->second[own];
}

}  // namespace probes::capture

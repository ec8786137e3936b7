// SPDX-License-Identifier: Apache-2.0
#include "reports/export/path_table.h"

namespace reports::exports {

void PathTable::take(const probes::capture::PathNode& node) {
    PathEntry entry{
        .path = node.name, .name = node.name, .role = node.category, .domain = node.domain};
    const auto parent = entries_.find(node.parent);
    if (parent != entries_.end()) {
        entry.path = parent->second.path + '/' + node.name;
        entry.depth = parent->second.depth + 1;
        if (entry.role.empty()) entry.role = parent->second.role;
    }
    entries_[node.id] = std::move(entry);
}

const PathEntry& PathTable::find(std::uint32_t id) const {
    static const PathEntry unknown{.path = "(unknown)", .name = "(unknown)"};
    const auto found = entries_.find(id);
    return found == entries_.end() ? unknown : found->second;
}

}  // namespace reports::exports

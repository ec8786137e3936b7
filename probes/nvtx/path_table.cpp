// SPDX-License-Identifier: Apache-2.0
// New nodes of a thread's path tree.
#include "probes/nvtx/path_table.h"

namespace probes::nvtx {

PathNode* PathTable::add(PathNode* parent,
                         const Text* name,
                         const Domain* domain,
                         std::uint32_t category,
                         std::uint64_t hash) {
    if (nodes_.size() == path_limit) {
        return nullptr;
    }
    if (nodes_.size() * 2 >= slots_.size()) {
        grow();
    }
    nodes_.push_back({.parent = parent,
                      .name = name,
                      .domain = domain,
                      .category = category,
                      .id = static_cast<std::uint32_t>(nodes_.size() + 1),
                      .announced_to = 0,
                      .hash = hash});
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != nullptr) {
        slot = (slot + 1) & mask;
    }
    slots_[slot] = &nodes_.back();
    return slots_[slot];
}

void PathTable::grow() {
    std::vector<PathNode*> wider(slots_.empty() ? 256 : slots_.size() * 2);
    const std::size_t mask = wider.size() - 1;
    for (PathNode& node : nodes_) {
        std::size_t slot = node.hash & mask;
        while (wider[slot] != nullptr) {
            slot = (slot + 1) & mask;
        }
        wider[slot] = &node;
    }
    slots_ = std::move(wider);
}

}  // namespace probes::nvtx

// SPDX-License-Identifier: Apache-2.0
// The tree of range paths one thread has seen: a push is one look-up, a range costs one number.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "probes/nvtx/registry.h"
#include "probes/nvtx/text.h"

namespace probes::nvtx {

struct PathNode {
    PathNode* parent;  // null: outermost
    const Text* name;
    const Domain* domain;
    std::uint32_t category;
    std::uint32_t id;            // from 1 in this table
    std::uint32_t announced_to;  // serial of the thread whose records hold this node; 0: none yet
    std::uint64_t hash;
};

// More distinct paths than this on one thread find no room: a name with a counter in it would
// otherwise eat the memory of the traced program.
constexpr std::size_t path_limit = std::size_t{1} << 18;

class PathTable {
  public:
    // Null when there are path_limit nodes. May throw std::bad_alloc for a new node.
    PathNode* find(PathNode* parent,
                   const Text* name,
                   const Domain* domain,
                   std::uint32_t category) {
        const std::uint64_t hash = hash_of_key(parent, name, domain, category);
        if (slots_.empty()) {
            return add(parent, name, domain, category, hash);
        }
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t slot = hash & mask; slots_[slot] != nullptr; slot = (slot + 1) & mask) {
            PathNode* node = slots_[slot];
            if (node->parent == parent && node->name == name && node->domain == domain &&
                node->category == category) {
                return node;
            }
        }
        return add(parent, name, domain, category, hash);
    }

    // Names that are not registered strings.
    const Text* intern(std::string_view text) { return texts_.intern(text); }

  private:
    static std::uint64_t hash_of_key(const PathNode* parent,
                                     const Text* name,
                                     const Domain* domain,
                                     std::uint32_t category) {
        const std::uint64_t place = parent != nullptr ? parent->hash : domain->index;
        return mix(mix(place ^ category) ^ name->hash);
    }

    PathNode* add(PathNode* parent,
                  const Text* name,
                  const Domain* domain,
                  std::uint32_t category,
                  std::uint64_t hash);
    void grow();

    std::vector<PathNode*> slots_;
    std::deque<PathNode> nodes_;
    TextTable texts_;
};

}  // namespace probes::nvtx

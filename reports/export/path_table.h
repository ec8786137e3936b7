// SPDX-License-Identifier: Apache-2.0
// The range tree of one capture: what a range's path number stands for.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "probes/capture/records.h"

namespace reports::exports {

struct PathEntry {
    std::string path;    // "prefill/layer.03.moe/experts.up"
    std::string name;    // "experts.up"
    std::string role;    // category of the innermost range that has one; empty: none has
    std::string domain;  // of NVTX; "" is its default domain
    int depth = 0;       // ranges around it
};

class PathTable {
  public:
    void take(const probes::capture::PathNode& node);
    const PathEntry& find(std::uint32_t id) const;  // "(unknown)" when there is none

  private:
    std::unordered_map<std::uint32_t, PathEntry> entries_;
};

}  // namespace reports::exports

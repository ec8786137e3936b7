// SPDX-License-Identifier: Apache-2.0
// Turns the path numbers of each thread's own table into numbers of the whole file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "probes/capture/records.h"

namespace probes::capture {

class PathMerger {
  public:
    enum class Outcome { fresh, known, orphan };

    // `node` comes with the thread's own numbers and leaves with the file's. Fresh: not seen
    // before in any thread. Orphan: its parent never arrived, so it has no place in the tree.
    Outcome add(std::uint32_t thread, PathNode& node);

    // The file's number for a thread's own; 0 if that node never arrived.
    std::uint32_t find(std::uint32_t thread, std::uint32_t own) const;

    void end_thread(std::uint32_t thread) { tables_.erase(thread); }

  private:
    using Key = std::tuple<std::uint32_t, std::string, std::string, std::string>;
    std::map<Key, std::uint32_t> ids_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> tables_;
};

}  // namespace probes::capture

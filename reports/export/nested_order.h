// SPDX-License-Identifier: Apache-2.0
// Puts the ranges of one thread, which arrive children first, into an order that readers nest
// rightly. They sort by start, the longer first; only for equal intervals the file's order decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/export/sink.h"

namespace reports::exports {

class NestedOrder {
  public:
    // `text` is held back as long as a range of the same end, maybe its parent, may follow.
    void add(std::int64_t end_ns, std::string_view text, const Sink& out);
    void flush(const Sink& out);

  private:
    // Ranges of one end: more than a tree is deep only where stamps are damaged.
    static constexpr std::size_t most_held = 1024;

    std::int64_t end_ns_ = 0;
    std::size_t held_ = 0;  // of texts_, whose memory is used again
    std::vector<std::string> texts_;
};

}  // namespace reports::exports

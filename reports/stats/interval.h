// SPDX-License-Identifier: Apache-2.0
// Union of time intervals, kept merged: memory grows with the number of separate stretches, not
// with the number of intervals added.
#pragma once

#include <cstdint>
#include <map>

namespace reports::stats {

class IntervalUnion {
  public:
    // [start_ns, end_ns); empty or reversed intervals add nothing. Any order; in order is fast.
    void add(std::int64_t start_ns, std::int64_t end_ns);

    std::int64_t total_ns() const;
    // Of the part inside [start_ns, end_ns).
    std::int64_t within_ns(std::int64_t start_ns, std::int64_t end_ns) const;

    std::size_t stretches() const { return stretches_.size(); }

  private:
    std::map<std::int64_t, std::int64_t> stretches_;  // start -> end; disjoint, never touching
};

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
// Union of time intervals, kept merged and in bounded memory.
//
// Once there are more than `capacity` separate stretches the older half is folded into one sum.
// Intervals that begin before the folded part's end are cut there and the cut is counted in
// late_ns(): with intervals sorted by their ends, as one thread writes them, nothing is cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reports::stats {

class IntervalUnion {
  public:
    explicit IntervalUnion(std::size_t capacity = 1 << 16) : capacity_(capacity) {}

    // [start_ns, end_ns); empty or reversed intervals add nothing. In order is fast.
    void add(std::int64_t start_ns, std::int64_t end_ns);

    std::int64_t total_ns() const;
    // Of the part inside [start_ns, end_ns). A folded part counts by the share of its extent that
    // lies inside: exact when all of it does or none.
    std::int64_t within_ns(std::int64_t start_ns, std::int64_t end_ns) const;

    std::int64_t late_ns() const { return late_ns_; }

  private:
    struct Stretch {
        std::int64_t start_ns = 0, end_ns = 0;
    };

    void fold();

    std::size_t capacity_;
    std::vector<Stretch> stretches_;  // ascending, disjoint, never touching
    Stretch folded_;                  // extent of what was folded
    std::int64_t folded_ns_ = 0;      // busy time in it; 0: nothing was folded
    std::int64_t late_ns_ = 0;
};

}  // namespace reports::stats

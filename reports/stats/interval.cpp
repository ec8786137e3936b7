// SPDX-License-Identifier: Apache-2.0
// Merges an interval into those it touches; folds old ones.
#include "reports/stats/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reports::stats {

void IntervalUnion::add(std::int64_t start_ns, std::int64_t end_ns) {
    if (folded_ns_ > 0 && start_ns < folded_.end_ns) {
        const std::int64_t late =
            std::max<std::int64_t>(0, std::min(end_ns, folded_.end_ns) - start_ns);
        if (__builtin_add_overflow(late_ns_, late, &late_ns_))
            late_ns_ = std::numeric_limits<std::int64_t>::max();
        start_ns = folded_.end_ns;
    }
    if (end_ns <= start_ns) return;
    // The stretches that touch [start, end]: from the first that ends at or after our start to the
    // last that starts at or before our end. Searched from the back, where new ones arrive.
    auto first = stretches_.end();
    while (first != stretches_.begin() && std::prev(first)->end_ns >= start_ns) --first;
    auto last = first;
    for (; last != stretches_.end() && last->start_ns <= end_ns; ++last) {
        start_ns = std::min(start_ns, last->start_ns);
        end_ns = std::max(end_ns, last->end_ns);
    }
    stretches_.insert(stretches_.erase(first, last), Stretch{start_ns, end_ns});
    if (stretches_.size() > capacity_) fold();
}

void IntervalUnion::fold() {
    const auto half = stretches_.begin() + static_cast<std::ptrdiff_t>(stretches_.size() / 2);
    if (folded_ns_ == 0) folded_.start_ns = stretches_.front().start_ns;
    for (auto old = stretches_.begin(); old != half; ++old) {
        folded_ns_ += old->end_ns - old->start_ns;
        folded_.end_ns = old->end_ns;
    }
    stretches_.erase(stretches_.begin(), half);
}

std::int64_t IntervalUnion::total_ns() const {
    std::int64_t total = folded_ns_;
    for (const Stretch& stretch : stretches_) total += stretch.end_ns - stretch.start_ns;
    return total;
}

std::int64_t IntervalUnion::within_ns(std::int64_t start_ns, std::int64_t end_ns) const {
    const auto common = [&](const Stretch& stretch) {
        return std::max<std::int64_t>(
            0, std::min(stretch.end_ns, end_ns) - std::max(stretch.start_ns, start_ns));
    };
    std::int64_t total = 0;
    if (folded_ns_ > 0) {
        const double inside = static_cast<double>(common(folded_)) /
                              static_cast<double>(folded_.end_ns - folded_.start_ns);
        total = std::llround(inside * static_cast<double>(folded_ns_));
    }
    for (const Stretch& stretch : stretches_) total += common(stretch);
    return total;
}

}  // namespace reports::stats

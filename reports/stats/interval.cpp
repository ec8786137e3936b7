// SPDX-License-Identifier: Apache-2.0
// Merges an interval into those it touches.
#include "reports/stats/interval.h"

#include <algorithm>

namespace reports::stats {

void IntervalUnion::add(std::int64_t start_ns, std::int64_t end_ns) {
    if (end_ns <= start_ns) return;
    // First stretch that ends at or after our start: the first we may touch.
    auto first = stretches_.upper_bound(start_ns);
    if (first != stretches_.begin() && std::prev(first)->second >= start_ns) --first;
    auto last = first;
    for (; last != stretches_.end() && last->first <= end_ns; ++last) {
        start_ns = std::min(start_ns, last->first);
        end_ns = std::max(end_ns, last->second);
    }
    const auto hint = stretches_.erase(first, last);
    stretches_.emplace_hint(hint, start_ns, end_ns);
}

std::int64_t IntervalUnion::total_ns() const {
    std::int64_t total = 0;
    for (const auto& [start, end] : stretches_) total += end - start;
    return total;
}

std::int64_t IntervalUnion::within_ns(std::int64_t start_ns, std::int64_t end_ns) const {
    std::int64_t total = 0;
    for (const auto& [start, end] : stretches_) {
        total += std::max<std::int64_t>(0, std::min(end, end_ns) - std::max(start, start_ns));
    }
    return total;
}

}  // namespace reports::stats

// SPDX-License-Identifier: Apache-2.0
#include "reports/export/nested_order.h"

namespace reports::exports {

void NestedOrder::add(std::int64_t end_ns, std::string_view text, const Sink& out) {
    if (end_ns != end_ns_ || held_ == most_held) flush(out);
    end_ns_ = end_ns;
    if (held_ == texts_.size()) texts_.emplace_back();
    texts_[held_++].assign(text);
}

// Children came first, so the other way round parents do.
void NestedOrder::flush(const Sink& out) {
    while (held_ > 0) out(texts_[--held_]);
}

}  // namespace reports::exports

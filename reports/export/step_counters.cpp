// SPDX-License-Identifier: Apache-2.0
#include "reports/export/step_counters.h"

namespace reports::exports {

void StepCounters::take_op(const probes::capture::Range& op,
                           std::string_view role,
                           const Work& work,
                           Track track,
                           ChromeEvents& events) {
    if (!work.rows) return;
    if (role == "embedding" && op.parent != 0) tokens_[op.parent] += *work.rows;
    if (role != "expert_gemm" || work.rows == expert_rows_) return;
    expert_rows_ = work.rows;
    events.counter(track, "expert rows", "rows", op.start_ns, static_cast<double>(*work.rows));
}

void StepCounters::take_range(const probes::capture::Range& range,
                              Track track,
                              ChromeEvents& events) {
    const auto found = tokens_.find(range.id);
    if (found != tokens_.end()) {
        const std::int64_t duration_ns = range.end_ns - range.start_ns;
        const auto tokens = static_cast<double>(found->second);
        tokens_.erase(found);
        if (duration_ns > 0) {
            events.counter(track, "tokens/s", "tokens/s", range.start_ns,
                           tokens * 1e9 / static_cast<double>(duration_ns));
            counting_ = true;
        }
    }
    if (range.root != range.id || !counting_) return;
    events.counter(track, "tokens/s", "tokens/s", range.end_ns, 0);
    counting_ = false;
}

}  // namespace reports::exports

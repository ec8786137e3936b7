// SPDX-License-Identifier: Apache-2.0
// Counters that follow from the ranges: tokens a second of each step, rows given to experts.
#pragma once

#include <optional>
#include <unordered_map>

#include "probes/capture/records.h"
#include "reports/export/chrome_events.h"
#include "reports/export/path_table.h"
#include "reports/export/payload_fields.h"

namespace reports::exports {

class StepCounters {
  public:
    void take_op(const probes::capture::Range& op,
                 std::string_view role,
                 const Work& work,
                 Track track,
                 ChromeEvents& events);
    // A range that is no op; children were taken before.
    void take_range(const probes::capture::Range& range, Track track, ChromeEvents& events);

  private:
    // A step is what directly encloses an embedding, whose rows are the step's tokens. Only open
    // ranges are in here.
    std::unordered_map<std::uint64_t, std::int64_t> tokens_;  // by number of the step's range
    std::optional<std::int64_t> expert_rows_;                 // as last written
    bool counting_ = false;                                   // a rate stands that has to end
};

}  // namespace reports::exports

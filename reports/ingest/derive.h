// SPDX-License-Identifier: Apache-2.0
// From what was read to what is stored. Pure: no files, no store.
#pragma once

#include <optional>
#include <vector>

#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/records/derived.h"
#include "reports/store/derived.h"

namespace reports::ingest {

// `profile` is null for a timed trial. A profiled trial without one has its reason elsewhere.
Derived derive(const store::TrialFacts& facts,
               const EngineLines& lines,
               const Profile* profile,
               std::vector<Condition> conditions);

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
// What a capture adds to a trial: phases, kernels, losses, and the five integrity checks.
#pragma once

#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/records/derived.h"

namespace reports::ingest {

// `out` holds the phases of the engine's rep lines already.
void add_profile(const EngineLines& lines, const Profile& profile, Derived& out);

}  // namespace reports::ingest

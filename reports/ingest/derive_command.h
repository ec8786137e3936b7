// SPDX-License-Identifier: Apache-2.0
// From what a command left behind to what is stored. Pure: no files, no store.
#pragma once

#include <vector>

#include "reports/ingest/command_lines.h"
#include "reports/ingest/profile.h"
#include "reports/records/derived.h"
#include "reports/store/derived.h"

namespace reports::ingest {

// `profile` is null for a timed trial; its phases are the command's outermost ranges.
Derived derive_command(const store::TrialFacts& facts,
                       const CommandLines& lines,
                       const Profile* profile,
                       std::vector<Condition> conditions);

}  // namespace reports::ingest

// SPDX-License-Identifier: Apache-2.0
// This command once more in another process, which hands over all that its pass says.
#pragma once

#include "engine/checks/recording.h"

namespace engine::commands {

inline constexpr const char* record_only_option = "record-only";  // hidden: what the process gets

// Starts this program with this process's own arguments and --record-only.
// Throws std::runtime_error when it ends in another way than a process without that option would.
void record_in_fresh_process(checks::Recording& recording);

// The other side: the recording's bytes on stdout.
void print_recording(checks::Recording recording);

}  // namespace engine::commands

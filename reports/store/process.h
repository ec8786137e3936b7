// SPDX-License-Identifier: Apache-2.0
// Is the process that wrote a run still there? A number alone may have been given to another.
#pragma once

#include <cstdint>
#include <optional>

namespace reports::store {

// Field 22 of /proc/<pid>/stat: when the process started, in clock ticks since boot. nullopt: no
// such process.
std::optional<std::int64_t> process_start_ticks(std::int64_t pid);

}  // namespace reports::store

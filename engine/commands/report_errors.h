// SPDX-License-Identifier: Apache-2.0
// From what a program throws to what a person reads and a script sees.
#pragma once

#include <functional>
#include <string_view>

namespace engine::commands {

// The exit code of `run`; of what it throws, a line on stderr that begins with `program`, and 2
// (what was asked for must change) or 4 (a failure of ours, or output that nothing took).
int report_errors(std::string_view program, const std::function<int()>& run);

}  // namespace engine::commands

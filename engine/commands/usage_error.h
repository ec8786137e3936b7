// SPDX-License-Identifier: Apache-2.0
// The error of a person who must change what they asked for: exit code 2.
#pragma once

#include <stdexcept>

namespace engine::commands {

// The message says what, where, the value seen, the limit, and what to do next.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace engine::commands

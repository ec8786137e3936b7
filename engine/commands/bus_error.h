// SPDX-License-Identifier: Apache-2.0
// What to say when a mapped weight file shrinks under the engine.
#pragma once

namespace engine::commands {

// From now on a read of a mapped page that is no longer there ends the process with exit code 2 and
// a sentence on stderr, not with a bare signal.
void explain_bus_errors();

}  // namespace engine::commands

// SPDX-License-Identifier: Apache-2.0
// The most memory this process has had resident.
#pragma once

#include <cstdint>

namespace engine::commands {

std::uint64_t peak_bytes();  // VmHWM; 0 where the system does not say
bool reset_peak();           // starts it again from the present; false where that is not possible

}  // namespace engine::commands

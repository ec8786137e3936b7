// SPDX-License-Identifier: Apache-2.0
// A share as people write it.
#pragma once

#include <optional>
#include <string>

namespace scenarios::plan {

// "2%" as 0.02. nullopt: not a number with a per cent sign, above 0% and below 100%.
std::optional<double> share_of(const std::string& text);

}  // namespace scenarios::plan

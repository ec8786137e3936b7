// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/place.h"

#include <fmt/format.h>

namespace scenarios::plan {

std::string to_string(const Place& place) {
    if (place.line == 0) return place.file;
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

ScenarioError::ScenarioError(const Place& where, const std::string& message)
    : std::runtime_error(to_string(where) + ": " + message), place(where) {}

}  // namespace scenarios::plan

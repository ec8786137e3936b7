// SPDX-License-Identifier: Apache-2.0
// Where a value stands in a scenario file, and the error that points at it.
#pragma once

#include <stdexcept>
#include <string>

namespace scenarios::plan {

struct Place {
    std::string file;
    int line = 0;    // from 1; 0: the file as a whole
    int column = 0;  // from 1
};

std::string to_string(const Place& place);  // "prefill-4k.toml:12:8"

// A value with the place it was written at.
template <class T>
struct Located {
    T value{};
    Place place;
};

// what() is "file:line:column: message"; the message names the value seen and the accepted form.
struct ScenarioError : std::runtime_error {
    ScenarioError(const Place& where, const std::string& message);
    Place place;
};

}  // namespace scenarios::plan

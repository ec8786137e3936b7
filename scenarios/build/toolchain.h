// SPDX-License-Identifier: Apache-2.0
// What a build depends on beside the commit: compilers, and variables that choose or steer them.
#pragma once

#include <map>
#include <string>

namespace scenarios::build {

struct Toolchain {
    std::map<std::string, std::string> versions;   // program -> first line of its --version
    std::map<std::string, std::string> variables;  // CC, CXX, CFLAGS, ... that are set
};

// $CC, $CXX (else cc, c++), nvcc, cmake and ld. What is not installed is not listed. `environment`
// is on top of the caller's.
Toolchain find_toolchain(const std::map<std::string, std::string>& environment);

std::string to_text(const Toolchain& toolchain);  // one "name: value" a line

}  // namespace scenarios::build

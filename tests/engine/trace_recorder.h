// SPDX-License-Identifier: Apache-2.0
// An NVTX tool inside the test program: it sees what any attached tool would see.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fakes {

struct SeenRange {
    std::string path;                          // names from the outermost range down, joined by '/'
    std::string category;                      // name of its category; empty: none
    std::string schema;                        // of its payload; empty: none
    std::map<std::string, double> numbers;     // payload fields by name
    std::map<std::string, std::string> texts;  // payload fields by name
    std::int64_t begin_ns = 0;                 // CLOCK_MONOTONIC_RAW
    std::int64_t end_ns = 0;                   // 0: still open
};

// Ranges pushed between begin_recording() and the call, in the order of their pushes.
void begin_recording();
std::vector<SeenRange> end_recording();

}  // namespace fakes

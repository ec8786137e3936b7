// SPDX-License-Identifier: Apache-2.0
// A scenario of any bytes is refused with its place, or read.
#include <cstdint>
#include <string>

#include "scenarios/plan/values.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        scenarios::plan::parse_scenario(text, "fuzz.toml");
    } catch (const scenarios::plan::ScenarioError&) {
    }
    return 0;
}

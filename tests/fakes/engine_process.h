// SPDX-License-Identifier: Apache-2.0
// tare-engine as a user runs it, and its JSON lines as a harness reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fakes/run_process.h"

namespace fakes {

inline const std::string small_bf16 = TARE_SOURCE_DIR "/scenarios/models/small-bf16";
inline const std::string small_nvfp4 = TARE_SOURCE_DIR "/scenarios/models/small-nvfp4";

inline Result engine(std::vector<std::string> arguments, const RunOptions& options = {}) {
    arguments.insert(arguments.begin(), TARE_BUILD_DIR "/bin/tare-engine");
    return run(arguments, options);
}

// One object a line. Throws nlohmann::json::parse_error for a line that is none.
inline std::vector<nlohmann::json> json_lines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

inline std::vector<nlohmann::json> lines_of_type(const std::vector<nlohmann::json>& lines,
                                                 const std::string& type) {
    std::vector<nlohmann::json> result;
    for (const auto& line : lines) {
        if (line.value("type", "") == type) {
            result.push_back(line);
        }
    }
    return result;
}

}  // namespace fakes

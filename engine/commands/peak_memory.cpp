// SPDX-License-Identifier: Apache-2.0
// Reads and resets the high-water mark that Linux keeps.
#include "engine/commands/peak_memory.h"

#include <fstream>
#include <sstream>
#include <string>

namespace engine::commands {

std::uint64_t peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            std::uint64_t kib = 0;
            std::istringstream(line.substr(6)) >> kib;
            return kib * 1024;
        }
    }
    return 0;
}

bool reset_peak() {
    std::ofstream clear("/proc/self/clear_refs");
    clear << "5" << std::flush;  // proc(5): 5 resets the peak resident set size
    return clear.good();
}

}  // namespace engine::commands

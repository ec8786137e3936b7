// SPDX-License-Identifier: Apache-2.0
// Reads when a process started.
#include "reports/store/process.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

namespace reports::store {

std::optional<std::int64_t> process_start_ticks(std::int64_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The command's name is in parentheses and may hold anything: fields are counted after it.
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        if (!(rest >> field)) return std::nullopt;
    }
    return std::stoll(field);
}

}  // namespace reports::store

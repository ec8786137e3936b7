// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/paths.h"

#include <system_error>

namespace scenarios::run {

namespace fs = std::filesystem;

fs::path executable() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path("tare") : self;
}

fs::path engine_beside(const fs::path& executable) {
    return executable.parent_path() / "tare-engine";
}

fs::path probe_beside(const fs::path& executable) {
    return (executable.parent_path() / "../lib/libtare-probe.so").lexically_normal();
}

}  // namespace scenarios::run

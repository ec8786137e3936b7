// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/suite_version.h"

#include <fmt/format.h>

#include "version.h"

namespace scenarios::cli {

namespace build = tare::version;

std::string suite_commit() {
    const std::string commit = build::commit;
    if (commit.empty()) return "unknown";
    return commit + (std::string(build::dirty_diff_sha256).empty() ? "" : "-dirty");
}

std::string suite_version() {
    return fmt::format("tare {} {}", build::release, suite_commit());
}

std::string version_text() {
    const std::string dirty = build::dirty_diff_sha256;
    const std::string commit = build::commit;
    const std::string tree =
        dirty.empty() ? "clean tree" : fmt::format("dirty tree, diff sha256 {}", dirty);
    std::string text = fmt::format("tare {}\n", build::release);
    text += commit.empty() ? "commit: unknown, built without git\n"
                           : fmt::format("commit: {} ({})\n", commit, tree);
    text += fmt::format("compiler: {} {} ({})", build::compiler, build::flags, build::build_type);
    const std::string sanitize = build::sanitize;
    if (!sanitize.empty()) text += fmt::format("\nsanitize: {}", sanitize);
    return text;
}

}  // namespace scenarios::cli

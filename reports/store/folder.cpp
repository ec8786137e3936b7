// SPDX-License-Identifier: Apache-2.0
// Where the store is when nobody says.
#include <cstdlib>

#include "reports/store/store.h"

namespace reports {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

// A checkout has .git as a folder, a worktree as a file.
std::optional<fs::path> enclosing_checkout(fs::path folder) {
    for (;; folder = folder.parent_path()) {
        std::error_code error;
        if (fs::exists(folder / ".git", error)) return folder;
        if (folder == folder.root_path() || folder.empty()) return std::nullopt;
    }
}

}  // namespace

fs::path store_folder(const std::optional<std::string>& option) {
    if (option && !option->empty()) return *option;
    if (const auto folder = environment("TARE_STORE")) return *folder;
    if (const auto checkout = enclosing_checkout(fs::current_path())) return *checkout / ".tare";
    if (const auto data = environment("XDG_DATA_HOME")) return fs::path(*data) / "tare";
    if (const auto home = environment("HOME")) return fs::path(*home) / ".local/share/tare";
    throw StoreError(
        "no place for the store: not in a git checkout, and neither XDG_DATA_HOME nor HOME is set; "
        "use --store DIR or $TARE_STORE");
}

}  // namespace reports

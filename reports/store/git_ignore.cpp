// SPDX-License-Identifier: Apache-2.0
#include "reports/store/git_ignore.h"

#include <fstream>

namespace reports::store {

namespace fs = std::filesystem;

void keep_out_of_git(const fs::path& folder) {
    std::error_code error;
    const fs::path place = fs::absolute(folder, error).lexically_normal();
    const fs::path own = place.filename().empty() ? place.parent_path() : place;
    if (own.filename() != ".tare" || !fs::exists(own.parent_path() / ".git", error)) return;
    const fs::path file = own / ".gitignore";
    if (!fs::exists(file, error)) std::ofstream(file) << "*\n";
}

}  // namespace reports::store

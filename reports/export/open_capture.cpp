// SPDX-License-Identifier: Apache-2.0
#include "reports/export/open_capture.h"

#include <fmt/format.h>

#include <cstdlib>

namespace reports::exports {

namespace fs = std::filesystem;

fs::path temporary_folder() {
    const char* chosen = std::getenv("TMPDIR");
    const fs::path folder = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (fs::is_directory(status)) return folder;
    throw PlaceError(fmt::format(
        "{}: is not a folder ({}); captures are decompressed there while they are read. Set TMPDIR "
        "to a folder you may write",
        folder.string(), error ? error.message() : "a file of that name is in the way"));
}

std::string with_the_place(const std::string& error, const fs::path& folder) {
    if (!error.starts_with(folder.string())) return error;
    return error +
           "; captures are decompressed there while they are read, TMPDIR names another "
           "folder";
}

}  // namespace reports::exports

// SPDX-License-Identifier: Apache-2.0
// Each failure of SQLite by its true name: only a file whose content is wrong is called damaged.
#pragma once

#include <filesystem>
#include <string>

namespace reports::store {

struct Failure {
    int code = 0;          // SQLite's extended result code
    int system_error = 0;  // errno beneath it; 0: none known
    std::string words;     // SQLite's own
};

// Throws DiskFull, MachineLacks or StoreError with the file, SQLite's words, the system's, and
// what to do.
[[noreturn]] void fail(const std::filesystem::path& file, const Failure& failure);

// The same for a file that the system itself refuses; `doing` is "opened", "read".
[[noreturn]] void fail_by_system(const std::filesystem::path& file, const char* doing, int error);

}  // namespace reports::store

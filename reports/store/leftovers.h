// SPDX-License-Identifier: Apache-2.0
// What killed processes left in a store's folder, and what SQLite finds in its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/store/store.h"

namespace reports::store {

// Files and folders that nothing will ever read: folders of no run, and in the folders of runs that
// are over the half-written files, the folders of probes and the files of no trial. Sorted.
std::vector<std::filesystem::path> leftovers(const Store& store);

// Removes them. Returns the bytes freed. Throws StoreError for what cannot be removed.
std::int64_t remove_leftovers(Store& store);

// SQLite's own checks: the structure of the file and every reference between rows. One sentence
// each, the first 20.
std::vector<std::string> database_problems(const Store& store);

std::int64_t bytes_below(const std::filesystem::path& path);

}  // namespace reports::store

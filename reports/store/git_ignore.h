// SPDX-License-Identifier: Apache-2.0
// Keeps a store out of the checkout it lies in: measuring never makes a clean tree dirty.
#pragma once

#include <filesystem>

namespace reports::store {

// Of a new store that is .tare/ of a git checkout: .gitignore with "*", unless there is one. A disk
// that does not take it is for the database to complain of.
void keep_out_of_git(const std::filesystem::path& folder);

}  // namespace reports::store

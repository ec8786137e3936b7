// SPDX-License-Identifier: Apache-2.0
// Which tare this is.
#pragma once

#include <string>

namespace scenarios::cli {

// "tare 0.1.0", commit and state of the tree, compiler and flags; one a line.
std::string version_text();

// The full commit hash, with "-dirty" behind it when the tree was not clean; "unknown" without git.
std::string suite_commit();

// Both in one line, as they are kept beside what this tare concluded: "tare 0.1.0 978ce0b0440f...".
std::string suite_version();

}  // namespace scenarios::cli

// SPDX-License-Identifier: Apache-2.0
// Where the parts of an installation lie, seen from the running executable.
#pragma once

#include <filesystem>

namespace scenarios::run {

std::filesystem::path executable();  // of this process, links resolved

std::filesystem::path engine_beside(const std::filesystem::path& executable);  // tare-engine
std::filesystem::path probe_beside(const std::filesystem::path& executable);   // ../lib/

}  // namespace scenarios::run

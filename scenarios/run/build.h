// SPDX-License-Identifier: Apache-2.0
// Where the binary under test comes from: its own hello line first, build.json beside it second,
// and what neither says is null with the reason.
#pragma once

#include <filesystem>
#include <optional>

#include "reports/records/run.h"
#include "scenarios/run/hello.h"

namespace scenarios::run {

// `no_hello` is why there is no hello line; used only without one.
// Throws std::runtime_error when the binary cannot be read.
reports::Build describe_build(const std::filesystem::path& binary,
                              const std::optional<Hello>& hello,
                              const std::string& no_hello);

// Of an arm that has no binary, with the reason.
reports::Build no_build(const std::string& why);

reports::Model describe_model(const std::filesystem::path& folder,
                              const std::optional<Hello>& hello,
                              const std::string& no_hello);

}  // namespace scenarios::run

// SPDX-License-Identifier: Apache-2.0
// Where baselines lie: baselines/any/<scenario>.json of the checkout one works in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baselines/gate/baseline.h"

namespace scenarios::cli {

// `option` (--baselines DIR) when given; else baselines/ of the checkout that encloses the
// current folder, else of the current folder.
std::filesystem::path baselines_folder(const std::string& option);

std::filesystem::path baseline_file(const std::filesystem::path& folder,
                                    const std::string& scenario);

// nullopt: there is none. Throws UsageError for a file that cannot be read or understood.
std::optional<baselines::Baseline> read_baseline(const std::filesystem::path& file);

// Whole or not at all. Throws UsageError.
void write_baseline(const std::filesystem::path& file, const baselines::Baseline& baseline);

// Names of scenarios that have a baseline, sorted.
std::vector<std::string> scenarios_with_baseline(const std::filesystem::path& folder);

}  // namespace scenarios::cli

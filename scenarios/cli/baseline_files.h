// SPDX-License-Identifier: Apache-2.0
// Where baselines lie: baselines/any/<scenario>.json of the checkout one works in, and timings in
// baselines/<machine class>/<scenario>.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baselines/gate/baseline.h"
#include "baselines/gate/timings.h"

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

// The same three of timings on a machine class.
std::filesystem::path timings_file(const std::filesystem::path& folder,
                                   const std::string& machine_class,
                                   const std::string& scenario);
std::optional<baselines::TimingBaseline> read_timings(const std::filesystem::path& file);
void write_timings(const std::filesystem::path& file, const baselines::TimingBaseline& baseline);

// Names of scenarios that have a baseline in `folder`/`kind`, sorted: "any", or a machine class.
std::vector<std::string> scenarios_with_baseline(const std::filesystem::path& folder,
                                                 const std::string& kind = "any");

}  // namespace scenarios::cli

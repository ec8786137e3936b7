// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/baseline_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/build/git.h"
#include "scenarios/cli/context.h"
#include "scenarios/plan/read_file.h"
#include "scenarios/run/files.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_baseline = 64 << 20;

}  // namespace

fs::path baselines_folder(const std::string& option) {
    if (!option.empty()) return fs::absolute(option);
    const auto git = build::Git::enclosing(fs::current_path());
    return (git ? git->top() : fs::current_path()) / "baselines";
}

fs::path baseline_file(const fs::path& folder, const std::string& scenario) {
    return folder / "any" / (scenario + ".json");
}

std::optional<baselines::Baseline> read_baseline(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
    try {
        return baselines::parse_baseline(plan::read_whole_file(file, largest_baseline));
    } catch (const plan::UnreadableFile& why) {
        throw UsageError(fmt::format("baseline {}: {}", file.string(), why.what()));
    } catch (const baselines::BaselineError& why) {
        throw UsageError(fmt::format(
            "baseline {}: {}; take back the committed file, or remove it and write a new one "
            "with --accept --reason \"...\"",
            file.string(), why.what()));
    }
}

void write_baseline(const fs::path& file, const baselines::Baseline& baseline) {
    try {
        run::make_folder(file.parent_path());
        run::write_whole(file, baselines::to_text(baseline));
    } catch (const run::FileError& why) {
        throw UsageError(fmt::format("the baseline was not written: {}", why.what()));
    }
}

std::vector<std::string> scenarios_with_baseline(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / "any", error))
        if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace scenarios::cli

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

// nullopt: there is none.
template <class Parsed>
std::optional<Parsed> read_file(const fs::path& file, Parsed (*parse)(std::string_view)) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
    try {
        return parse(plan::read_whole_file(file, largest_baseline));
    } catch (const plan::UnreadableFile& why) {
        throw UsageError(fmt::format("baseline {}: {}", file.string(), why.what()));
    } catch (const baselines::BaselineError& why) {
        throw UsageError(fmt::format(
            "baseline {}: {}; take back the committed file, or remove it and write a new one "
            "with --accept --reason \"...\"",
            file.string(), why.what()));
    }
}

void write_text(const fs::path& file, const std::string& text) {
    try {
        run::make_folder(file.parent_path());
        run::write_whole(file, text);
    } catch (const run::FileError& why) {
        throw UsageError(fmt::format("the baseline was not written: {}", why.what()));
    }
}

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
    return read_file(file, baselines::parse_baseline);
}

void write_baseline(const fs::path& file, const baselines::Baseline& baseline) {
    write_text(file, baselines::to_text(baseline));
}

fs::path timings_file(const fs::path& folder,
                      const std::string& machine_class,
                      const std::string& scenario) {
    return folder / machine_class / (scenario + ".json");
}

std::optional<baselines::TimingBaseline> read_timings(const fs::path& file) {
    return read_file(file, baselines::parse_timings);
}

void write_timings(const fs::path& file, const baselines::TimingBaseline& baseline) {
    write_text(file, baselines::to_text(baseline));
}

std::vector<std::string> scenarios_with_baseline(const fs::path& folder, const std::string& kind) {
    std::vector<std::string> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / kind, error))
        if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace scenarios::cli

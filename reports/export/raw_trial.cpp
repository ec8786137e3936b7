// SPDX-License-Identifier: Apache-2.0
#include "reports/export/raw_trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/ingest/conditions.h"
#include "reports/ingest/raw_file.h"
#include "reports/store/raw_files.h"

namespace reports::exports {
namespace {

namespace fs = std::filesystem;

fs::path raw_path(const Store& store, Id run, Id trial, const char* kind) {
    return store.raw_folder(run) / fmt::format("{}.{}", trial, kind);
}

[[noreturn]] void say_pruned(Id run, Id trial) {
    throw ExportError(fmt::format(
        "run {}, trial {}: its raw files are gone (tare prune --raw-only, or deleted by "
        "hand), and only they hold single ranges. Run the scenario again and keep them; "
        "tare export --format csv --table kernels|samples needs none",
        run, trial));
}

void check_unchanged(const Store& store, Id trial, const store::KindFilter& looked_at) {
    const auto problems = store::raw_file_problems(store, trial, looked_at);
    if (!problems.empty()) throw ExportError(problems.front().text);
}

// <trial>.<host>.<pid>.capture: of a process that the traced one started.
bool is_capture_of(const std::string& name, Id trial) {
    const std::string start = fmt::format("{}.", trial);
    return name.starts_with(start) && name.ends_with(".capture");
}

std::string without_compression(std::string name) {
    constexpr std::string_view suffix = ".zst";
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
    return name;
}

}  // namespace

std::vector<fs::path> captures_of(const Store& store, Id run, const TrialRow& row) {
    const fs::path own = raw_path(store, run, row.id, "capture");
    if (!ingest::raw_exists(own)) {
        if (!ingest::raw_exists(raw_path(store, run, row.id, "lines"))) say_pruned(run, row.id);
        return {};
    }
    check_unchanged(store, row.id,
                    [](const std::string& kind) { return kind.ends_with("capture"); });
    std::vector<fs::path> captures = {own};
    for (const auto& entry : fs::directory_iterator(store.raw_folder(run))) {
        const fs::path plain =
            store.raw_folder(run) / without_compression(entry.path().filename().string());
        if (plain != own && is_capture_of(plain.filename().string(), row.id)) {
            captures.push_back(plain);
        }
    }
    std::sort(captures.begin() + 1, captures.end());
    return captures;
}

ingest::EngineLines lines_of(const Store& store, Id run, Id trial) {
    check_unchanged(store, trial, [](const std::string& kind) { return kind == "lines"; });
    const auto text = ingest::read_raw(raw_path(store, run, trial, "lines"));
    if (!text) say_pruned(run, trial);
    return ingest::read_engine_lines(*text);
}

std::vector<Condition> conditions_of(const Store& store, Id run, Id trial) {
    check_unchanged(store, trial, [](const std::string& kind) { return kind == "conditions"; });
    const auto text = ingest::read_raw(raw_path(store, run, trial, "conditions"));
    return ingest::read_conditions(text.value_or("")).observed;
}

}  // namespace reports::exports

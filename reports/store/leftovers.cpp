// SPDX-License-Identifier: Apache-2.0
// Compares the store's folder with its rows.
#include "reports/store/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::store {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// "12.capture.zst" is of trial 12.
std::optional<Id> trial_of(const std::string& name) {
    Id id = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, id);
    if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != '.') return std::nullopt;
    return id;
}

// A run that is over has all its files in their final form.
bool is_leftover(const fs::directory_entry& entry, const std::set<Id>& trials) {
    const std::string name = entry.path().filename().string();
    if (name == "prompt.json") return false;
    const auto trial = trial_of(name);
    return !trial || trials.count(*trial) == 0 || ends_with(name, ".tmp") ||
           ends_with(name, ".probe");
}

void add_leftovers_of_run(const fs::path& folder,
                          const std::set<Id>& trials,
                          std::vector<fs::path>& out) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (is_leftover(entry, trials)) out.push_back(entry.path());
    }
}

// Backups are whole or not there: a half-written one has this name.
void add_half_backups(const fs::path& folder, std::vector<fs::path>& out) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("tare.db.backup-", 0) == 0 && ends_with(name, ".tmp")) {
            out.push_back(entry.path());
        }
    }
}

std::set<Id> all_trial_ids(const Database& database) {
    std::set<Id> ids;
    Statement row = database.prepare(embedded("store/statements/all_trials.sql"));
    while (row.step()) ids.insert(row.need_integer("id"));
    return ids;
}

std::vector<std::string> first_rows(const Database& database, const char* statement) {
    constexpr std::size_t most = 20;
    std::vector<std::string> out;
    Statement row = database.prepare(embedded(statement));
    while (out.size() < most && row.step()) out.push_back(row.text("problem").value_or(""));
    return out;
}

}  // namespace

std::int64_t bytes_below(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(path, error))) {
        const auto size = fs::file_size(path, error);
        return error ? 0 : static_cast<std::int64_t>(size);
    }
    std::int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
        if (!entry.is_regular_file(error)) continue;
        const auto size = entry.file_size(error);
        if (!error) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

std::vector<fs::path> leftovers(const Store& store) {
    std::set<std::string> known, going_on;
    for (const RunSummary& summary : store.list()) {
        known.insert(std::to_string(summary.run.id));
        if (summary.run.status == "running") going_on.insert(std::to_string(summary.run.id));
    }
    const std::set<Id> trials = all_trial_ids(store.impl().database);
    std::vector<fs::path> out;
    add_half_backups(store.folder(), out);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(store.folder() / "raw", error)) {
        const std::string name = entry.path().filename().string();
        if (known.count(name) == 0) {
            out.push_back(entry.path());
        } else if (going_on.count(name) == 0) {
            add_leftovers_of_run(entry.path(), trials, out);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::int64_t remove_leftovers(Store& store) {
    // A run that begins makes its folder before its row is there for others to see, both under the
    // write lock.
    Database::Transaction nobody_begins(store.impl().database);
    std::int64_t freed = 0;
    for (const fs::path& path : leftovers(store)) {
        freed += bytes_below(path);
        std::error_code error;
        fs::remove_all(path, error);
        if (error) {
            throw StoreError(fmt::format("{}: cannot be removed ({}); delete it by hand",
                                         path.string(), error.message()));
        }
    }
    return freed;
}

std::vector<std::string> database_problems(const Store& store) {
    const Database& database = store.impl().database;
    std::vector<std::string> out = first_rows(database, "store/statements/integrity_check.sql");
    for (std::string& text : first_rows(database, "store/statements/foreign_key_check.sql")) {
        out.push_back(std::move(text));
    }
    return out;
}

}  // namespace reports::store

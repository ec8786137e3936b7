// SPDX-License-Identifier: Apache-2.0
// Store: what is in it.
#include "reports/store/read.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/process.h"

namespace reports {
namespace store {
namespace {

std::string this_host() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

// Only a process of this machine can be looked up.
bool writer_is_gone(const Statement& row) {
    if (row.need_text("hostname") != this_host()) return false;
    const auto now = process_start_ticks(row.need_integer("pid"));
    return !now || now != row.integer("pid_start_ticks");
}

StoreError damaged(const Database& database, const char* column) {
    return StoreError(
        fmt::format("{}: column '{}' holds what no tare wrote: the file is damaged. "
                    "`tare store check` says more; put back a backup, or move it away",
                    database.file().string(), column));
}

template <class T>
T converted(const Database& database, const Statement& row, const char* column) {
    try {
        return nlohmann::json::parse(row.need_text(column)).get<T>();
    } catch (const nlohmann::json::exception&) {
        throw damaged(database, column);
    }
}

}  // namespace

std::vector<std::string> need_texts(const Database& database,
                                    const Statement& row,
                                    const char* column) {
    return converted<std::vector<std::string>>(database, row, column);
}

std::map<std::string, std::string> need_text_map(const Database& database,
                                                 const Statement& row,
                                                 const char* column) {
    return converted<std::map<std::string, std::string>>(database, row, column);
}

std::vector<std::int64_t> need_integers(const Database& database,
                                        const Statement& row,
                                        const char* column) {
    return converted<std::vector<std::int64_t>>(database, row, column);
}

std::vector<double> need_numbers(const Database& database,
                                 const Statement& row,
                                 const char* column) {
    return converted<std::vector<double>>(database, row, column);
}

Run read_run(const Database& database, const Statement& row) {
    Run run{.id = row.need_integer("id"),
            .started_utc = row.need_text("started_utc"),
            .command_line = need_texts(database, row, "command_line"),
            .suite_commit = row.need_text("suite_commit"),
            .backend = row.need_text("backend"),
            .kind = row.need_text("kind"),
            .status = row.need_text("status"),
            .note = row.need_text("note")};
    if (run.status == "running" && writer_is_gone(row)) run.status = "interrupted";
    return run;
}

}  // namespace store

std::vector<RunSummary> Store::list() const {
    std::vector<RunSummary> runs;
    auto row = impl_->database.prepare(store::embedded("queries/run_list.sql"));
    while (row.step()) {
        runs.push_back({.run = store::read_run(impl_->database, row),
                        .scenario = row.need_text("scenario"),
                        .machine_class = row.need_text("machine_class"),
                        .commit = row.text("commit_hash"),
                        .arms = static_cast<int>(row.need_integer("arms")),
                        .trials = static_cast<int>(row.need_integer("trials")),
                        .valid_trials = static_cast<int>(row.need_integer("valid_trials")),
                        .void_trials = static_cast<int>(row.need_integer("void_trials")),
                        .raw_bytes = row.need_integer("raw_bytes"),
                        .verdict = row.text("verdict"),
                        .exit_code = row.integer("exit_code")});
    }
    return runs;
}

namespace {

Id latest_run(const store::Database& database) {
    auto row = database.prepare(store::embedded("store/statements/latest_run.sql"));
    row.step();
    if (const auto id = row.integer("id")) return *id;
    throw StoreError(
        fmt::format("{}: no run in this store yet; measure something first (tare run "
                    "SCENARIO)",
                    database.file().string()));
}

}  // namespace

Id Store::resolve_run(const std::optional<std::string>& text) const {
    const store::Database& database = impl_->database;
    if (!text || text->empty() || *text == "latest") return latest_run(database);
    Id id = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, id);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        throw StoreError(fmt::format(
            "'{}' is not a run: give a number (tare list shows them) or 'latest'", *text));
    }
    auto row = database.prepare(store::embedded("store/statements/find_run.sql"));
    if (!row.bind({id}).step()) {
        throw StoreError(fmt::format("{}: there is no run {}; tare list shows those there are",
                                     database.file().string(), id));
    }
    return id;
}

}  // namespace reports

// SPDX-License-Identifier: Apache-2.0
// Opens the database of a store and applies the migrations it lacks.
#include "reports/store/migrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "reports/store/embedded.h"

namespace reports::store {
namespace {

namespace fs = std::filesystem;

// Marks the file as ours ("tare" in ASCII), so that a foreign database is never migrated.
constexpr std::int64_t application_id = 0x74617265;

std::int64_t pragma(const Database& database, const char* name) {
    Statement statement = database.prepare(fmt::format("pragma {}", name));
    return statement.step() ? statement.integer(name).value_or(0) : 0;
}

bool has_tables(const Database& database) {
    return database.prepare("select name from sqlite_schema limit 1").step();
}

void check_owner_and_version(const Database& database, int latest) {
    const std::int64_t owner = pragma(database, "application_id");
    const std::string file = database.file().string();
    if (owner != application_id && has_tables(database)) {
        throw StoreError(fmt::format(
            "{}: an SQLite file of another program (application id {}, expected {}); nothing was "
            "changed. Use --store DIR for another folder",
            file, owner, application_id));
    }
    if (database.user_version() > latest) {
        throw StoreError(fmt::format(
            "{}: written by a newer tare (schema version {}; this build reads up to {}); nothing "
            "was changed. Use the newer tare, or --store DIR for another folder",
            file, database.user_version(), latest));
    }
}

// Never overwrites an earlier backup.
fs::path backup_name(const fs::path& file, int version) {
    const std::string base = fmt::format("{}.backup-v{}", file.string(), version);
    fs::path candidate = base;
    for (int i = 2; fs::exists(candidate); ++i) candidate = fmt::format("{}.{}", base, i);
    return candidate;
}

void back_up(const Database& database, int version) {
    const fs::path target = backup_name(database.file(), version);
    const fs::path unfinished = target.string() + ".tmp";
    fs::remove(unfinished);
    database.copy_to(unfinished);
    fs::rename(unfinished, target);
}

void migrate(Database& database, std::span<const Migration> migrations, int latest) {
    Database::Transaction transaction(database);
    const int version = database.user_version();  // again, now that nobody else can write
    if (version == latest) return;
    if (version > 0) back_up(database, version);
    for (const Migration& step : migrations) {
        if (step.version <= version) continue;
        try {
            database.script(step.sql);
        } catch (const StoreError& error) {
            throw StoreError(
                fmt::format("migration {} from schema version {} failed, the file is as "
                            "before: {}",
                            step.name, version, error.what()));
        }
    }
    database.script(fmt::format("pragma application_id = {}", application_id));
    database.script(fmt::format("pragma user_version = {}", latest));
    transaction.commit();
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        throw StoreError(fmt::format(
            "{}: cannot create the store's folder ({}); use --store DIR or $TARE_STORE for a "
            "folder "
            "you may write",
            folder.string(), error ? error.message() : "a file of that name is in the way"));
    }
}

Database open_to_write(const fs::path& folder,
                       std::span<const Migration> migrations,
                       const OpenOptions& options,
                       int latest) {
    create_folder(folder);
    Database database(folder / "tare.db", Database::Open::create, options.busy_timeout_ms);
    check_owner_and_version(database, latest);
    database.script("pragma journal_mode = wal");
    database.script("pragma synchronous = normal");
    database.script("pragma foreign_keys = on");
    if (database.user_version() < latest) migrate(database, migrations, latest);
    return database;
}

// WAL readers need the -shm file; where it cannot be made the file is read as it stands, which is
// complete unless a -wal file with content lies beside it.
Database open_to_read(const fs::path& folder, const OpenOptions& options) {
    const fs::path file = folder / "tare.db";
    if (!fs::exists(file)) {
        throw StoreError(fmt::format(
            "{}: no store here yet; measure something first (tare run SCENARIO), or name another "
            "folder with --store DIR",
            folder.string()));
    }
    try {
        Database database(file, Database::Open::read_only, options.busy_timeout_ms);
        has_tables(database);
        return database;
    } catch (const StoreError&) {
        std::error_code error;
        const fs::path wal = file.string() + "-wal";
        if (fs::exists(wal) && fs::file_size(wal, error) > 0) throw;
        return Database(file, Database::Open::immutable, options.busy_timeout_ms);
    }
}

}  // namespace

std::vector<Migration> shipped_migrations() {
    std::vector<Migration> steps;
    for (const EmbeddedFile& file : embedded_files()) {
        constexpr std::string_view folder = "schema/";
        if (!file.name.starts_with(folder)) continue;
        const std::string_view name = file.name.substr(folder.size());
        int version = 0;
        std::from_chars(name.data(), name.data() + name.size(), version);
        steps.push_back({version, std::string(name), file.text});
    }
    std::sort(steps.begin(), steps.end(),
              [](const Migration& a, const Migration& b) { return a.version < b.version; });
    return steps;
}

Database open_database(const fs::path& folder,
                       std::span<const Migration> migrations,
                       const OpenOptions& options) {
    const int latest = migrations.empty() ? 0 : migrations.back().version;
    if (options.access == Store::Access::read_write) {
        return open_to_write(folder, migrations, options, latest);
    }
    Database database = open_to_read(folder, options);
    check_owner_and_version(database, latest);
    if (database.user_version() == latest) return database;
    // Older: a reader cannot wait for somebody else to migrate, so it does.
    try {
        const Database migrated = open_to_write(folder, migrations, options, latest);
    } catch (const StoreError& error) {
        throw StoreError(
            fmt::format("schema version {} is older than this build's {}, and migrating "
                        "it failed: {}",
                        database.user_version(), latest, error.what()));
    }
    return open_to_read(folder, options);
}

}  // namespace reports::store

// SPDX-License-Identifier: Apache-2.0
// Opens the database of a store and applies the migrations it lacks.
#include "reports/store/migrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "engine/format/system_words.h"
#include "reports/store/embedded.h"
#include "reports/store/failure.h"
#include "reports/store/git_ignore.h"

namespace reports::store {
namespace {

namespace fs = std::filesystem;

// Marks the file as ours ("tare" in ASCII), so that a foreign database is never migrated.
constexpr std::int64_t application_id = 0x74617265;

struct Marks {
    std::int64_t owner = 0;  // application_id
    int version = 0;         // user_version
    bool has_tables = false;
};

// All from one moment: another process may be making the schema just now.
Marks read_marks(Database& database) {
    Database::Snapshot snapshot(database);
    Statement row = database.prepare(embedded("store/statements/marks.sql"));
    row.step();
    return {.owner = row.need_integer("owner"),
            .version = static_cast<int>(row.need_integer("version")),
            .has_tables = row.need_integer("has_tables") != 0};
}

void check_owner_and_version(const Marks& marks, const fs::path& file, int latest) {
    if (marks.owner != application_id && marks.has_tables) {
        throw StoreError(fmt::format(
            "{}: an SQLite file of another program (application id {}, expected {}); nothing was "
            "changed. Use --store DIR for another folder",
            file.string(), marks.owner, application_id));
    }
    if (marks.version > latest) {
        throw StoreError(fmt::format(
            "{}: written by a newer tare (schema version {}; this build reads up to {}); nothing "
            "was changed. Use the newer tare, or --store DIR for another folder",
            file.string(), marks.version, latest));
    }
}

bool has_raw_files(const fs::path& folder) {
    std::error_code error;
    for (const auto& run : fs::directory_iterator(folder / "raw", error)) {
        if (!fs::is_empty(run.path(), error)) return true;
    }
    return false;
}

// A new file would give out the numbers of the runs whose raw files are still there.
void check_that_nothing_was_lost(const Marks& marks, const fs::path& folder) {
    if (marks.has_tables || marks.version > 0 || !has_raw_files(folder)) return;
    throw StoreError(fmt::format(
        "{}: empty, and {} holds raw files of runs: the database was lost. Put back a "
        "tare.db.backup-v<N>, or move {} away to begin anew",
        (folder / "tare.db").string(), (folder / "raw").string(), (folder / "raw").string()));
}

std::uint32_t big_endian(const unsigned char* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
           std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

// Bytes the file has by its own header (https://www.sqlite.org/fileformat.html, 1.3); 0: it has
// none.
std::uint64_t bytes_by_header(const fs::path& file) {
    unsigned char head[100] = {};
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) fail_by_system(file, "opened", errno);
    in.read(reinterpret_cast<char*>(head), sizeof head);
    if (in.bad()) fail_by_system(file, "read", errno);
    if (in.gcount() != sizeof head || std::memcmp(head, "SQLite format 3", 16) != 0) return 0;
    const unsigned page_field = head[16] * 256u + head[17];
    const std::uint64_t page_bytes = page_field == 1 ? 65536 : page_field;
    const bool count_holds = big_endian(head + 24) == big_endian(head + 92);
    return page_bytes * (count_holds ? big_endian(head + 28) : 1);
}

// SQLite takes a file of a few bytes for a new one and writes over it, and finds a cut one out page
// by page. Pages may be missing as long as a write-ahead log holds them.
void check_length(const fs::path& file) {
    std::error_code error;
    // In this order, because others write meanwhile: a file that is not empty has its header, and
    // what that promises is in the file once the log is empty.
    if (fs::file_size(file, error) == 0 && !error) return;
    const std::uint64_t expected = bytes_by_header(file);
    const std::uint64_t wal = fs::file_size(file.string() + "-wal", error);
    const bool has_wal = !error && wal > 0;
    const std::uint64_t size = fs::file_size(file, error);
    if (error || size == 0) return;
    if (expected > 0 && (size >= expected || has_wal)) return;
    throw StoreError(fmt::format(
        "{}: {}; nothing was changed. Move it away and run again, or put back a "
        "tare.db.backup-v<N> from the same folder",
        file.string(),
        expected == 0 ? std::string("it is damaged or not a store: it has no SQLite header")
                      : fmt::format("it is cut short: {} bytes of {}", size, expected)));
}

// SQLite opens pipes and folders too, and waits or fails without saying why.
void check_kind(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::none) fail_by_system(file, "looked at", error.value());
    if (!fs::exists(status)) return;
    if (fs::is_regular_file(status)) return check_length(file);
    throw StoreError(
        fmt::format("{}: not a file but a {}; move it away, or use --store DIR for another folder",
                    file.string(), fs::is_directory(status) ? "folder" : "pipe or device"));
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
    try {
        database.copy_to(unfinished);
        fs::rename(unfinished, target);
    } catch (...) {
        std::error_code error;
        fs::remove(unfinished, error);
        throw;
    }
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
        } catch (const MachineLacks&) {
            throw;  // nothing is wrong with the step
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
    if (!error && fs::is_directory(folder, error)) return;
    const std::string message = fmt::format(
        "{}: cannot create the store's folder ({}); use --store DIR or $TARE_STORE for a folder "
        "you may write",
        folder.string(),
        error ? engine::format::system_words(error.value()) : "a file of that name is in the way");
    if (error.value() == ENOSPC) throw DiskFull(message);
    if (engine::format::is_lack(error.value())) throw MachineLacks(message);
    throw StoreError(message);
}

Database open_to_write(const fs::path& folder,
                       std::span<const Migration> migrations,
                       const OpenOptions& options,
                       int latest) {
    create_folder(folder);
    const fs::path file = folder / "tare.db";
    if (std::error_code unseen; !fs::exists(file, unseen)) keep_out_of_git(folder);
    check_kind(file);
    Database database(file, Database::Open::create, options.patience);
    const Marks marks = read_marks(database);
    check_owner_and_version(marks, file, latest);
    check_that_nothing_was_lost(marks, folder);
    database.use_wal();
    database.script("pragma synchronous = normal");
    database.script("pragma foreign_keys = on");
    if (marks.version < latest) migrate(database, migrations, latest);
    return database;
}

// WAL readers need the -shm file; where it cannot be made the file is read as it stands, which is
// complete unless a -wal file with content lies beside it.
Database open_as_it_stands(const fs::path& file, const OpenOptions& options) {
    std::error_code error;
    const fs::path wal = file.string() + "-wal";
    if (fs::exists(wal, error) && fs::file_size(wal, error) > 0) throw;  // what is being handled
    return Database(file, Database::Open::immutable, options.patience);
}

Database open_to_read(const fs::path& folder, const OpenOptions& options) {
    const fs::path file = folder / "tare.db";
    std::error_code unseen;
    const auto type = fs::status(file, unseen).type();
    if (type == fs::file_type::none) fail_by_system(file, "looked at", unseen.value());
    if (type == fs::file_type::not_found) {
        throw StoreError(fmt::format(
            "{}: no store here yet; measure something first (tare run SCENARIO), or name another "
            "folder with --store DIR",
            folder.string()));
    }
    check_kind(file);
    try {
        Database database(file, Database::Open::read_only, options.patience);
        read_marks(database);
        return database;
    } catch (const MachineLacks& lack) {
        // A full disk takes no -shm file either; without descriptors or memory nothing is certain.
        if (dynamic_cast<const DiskFull*>(&lack) == nullptr) throw;
        return open_as_it_stands(file, options);
    } catch (const StoreError&) {
        return open_as_it_stands(file, options);
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
    const Marks marks = read_marks(database);
    check_owner_and_version(marks, database.file(), latest);
    check_that_nothing_was_lost(marks, folder);
    if (marks.version == latest) return database;
    // Older: a reader cannot wait for somebody else to migrate, so it does.
    try {
        const Database migrated = open_to_write(folder, migrations, options, latest);
    } catch (const MachineLacks&) {
        throw;
    } catch (const StoreError& error) {
        throw StoreError(
            fmt::format("schema version {} is older than this build's {}, and migrating "
                        "it failed: {}",
                        database.user_version(), latest, error.what()));
    }
    return open_to_read(folder, options);
}

}  // namespace reports::store

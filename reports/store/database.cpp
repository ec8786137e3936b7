// SPDX-License-Identifier: Apache-2.0
// The only user of the SQLite wrapper. Turns its exceptions into messages for a person.
#include "reports/store/database.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

#include "reports/store/failure.h"

namespace reports::store {
namespace {

// `handle` knows the errno beneath; without one the thread's own is the last word.
template <class Body>
auto guarded(const std::filesystem::path& file, sqlite3* handle, Body&& body) {
    try {
        return body();
    } catch (const SQLite::Exception& error) {
        const int last = errno;
        const int known = handle != nullptr ? sqlite3_system_errno(handle) : 0;
        fail(file, {.code = error.getExtendedErrorCode() > 0 ? error.getExtendedErrorCode()
                                                             : error.getErrorCode(),
                    .system_error = known != 0 ? known : last,
                    .words = error.what()});
    }
}

int open_flags(Database::Open how) {
    switch (how) {
        case Database::Open::create:
            return SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
        case Database::Open::read_write:
            return SQLite::OPEN_READWRITE;
        case Database::Open::read_only:
            return SQLite::OPEN_READONLY;
        case Database::Open::immutable:
            return SQLite::OPEN_READONLY | SQLite::OPEN_URI;
    }
    return 0;
}

// file:/a%20b?immutable=1: no lock and no -shm file, for folders that cannot be written.
std::string immutable_uri(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' ||
                           c == '.' || c == '-' || c == '_';
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri + "?immutable=1";
}

void bind_value(SQLite::Statement& statement, int index, const Value& value) {
    struct Binder {
        SQLite::Statement& statement;
        int index;

        void operator()(std::monostate) const { statement.bind(index); }

        void operator()(std::int64_t v) const { statement.bind(index, v); }

        void operator()(double v) const { statement.bind(index, v); }

        void operator()(const std::string& v) const { statement.bind(index, v); }

        void operator()(const Blob& v) const {
            // A null pointer would bind NULL; an empty blob is not NULL.
            statement.bind(index, v.empty() ? static_cast<const void*>("") : v.data(),
                           static_cast<int>(v.size()));
        }
    };

    std::visit(Binder{statement, index}, value);
}

}  // namespace

struct Statement::State {
    std::filesystem::path file;
    sqlite3* handle;
    SQLite::Statement statement;
};

Statement::Statement(std::unique_ptr<State> state) : state_(std::move(state)) {}

Statement::~Statement() = default;
Statement::Statement(Statement&&) noexcept = default;

Statement& Statement::bind(std::initializer_list<Value> values) {
    guarded(state_->file, state_->handle, [&] {
        state_->statement.reset();
        state_->statement.clearBindings();
        int index = 1;
        for (const Value& value : values) bind_value(state_->statement, index++, value);
    });
    return *this;
}

bool Statement::step() {
    return guarded(state_->file, state_->handle, [&] { return state_->statement.executeStep(); });
}

void Statement::run(std::initializer_list<Value> values) {
    bind(values);
    while (step()) {
    }
    guarded(state_->file, state_->handle, [&] { state_->statement.reset(); });
}

std::optional<std::int64_t> Statement::integer(const char* column) const {
    return guarded(state_->file, state_->handle, [&]() -> std::optional<std::int64_t> {
        const SQLite::Column value = state_->statement.getColumn(column);
        if (value.isNull()) return std::nullopt;
        return value.getInt64();
    });
}

std::optional<double> Statement::real(const char* column) const {
    return guarded(state_->file, state_->handle, [&]() -> std::optional<double> {
        const SQLite::Column value = state_->statement.getColumn(column);
        if (value.isNull()) return std::nullopt;
        return value.getDouble();
    });
}

std::optional<std::string> Statement::text(const char* column) const {
    return guarded(state_->file, state_->handle, [&]() -> std::optional<std::string> {
        const SQLite::Column value = state_->statement.getColumn(column);
        if (value.isNull()) return std::nullopt;
        return value.getString();
    });
}

Blob Statement::blob(const char* column) const {
    return guarded(state_->file, state_->handle, [&] {
        const SQLite::Column value = state_->statement.getColumn(column);
        const auto* bytes = static_cast<const std::uint8_t*>(value.getBlob());
        return Blob(bytes, bytes + value.getBytes());
    });
}

namespace {

template <class T>
T need(const std::optional<T>& value, const std::filesystem::path& file, const char* column) {
    if (!value) {
        throw StoreError(
            fmt::format("{}: column '{}' is null where a value is expected; try tare store rebuild",
                        file.string(), column));
    }
    return *value;
}

}  // namespace

std::int64_t Statement::need_integer(const char* column) const {
    return need(integer(column), state_->file, column);
}

double Statement::need_real(const char* column) const {
    return need(real(column), state_->file, column);
}

std::string Statement::need_text(const char* column) const {
    return need(text(column), state_->file, column);
}

struct Database::State {
    std::filesystem::path file;
    Patience patience;
    SQLite::Database database;
};

namespace {

constexpr int pause_ms = 10;

// SQLite's question whether to try again; `tries` from 0.
int keep_waiting(void* state, int tries) {
    const auto& patience = *static_cast<const Patience*>(state);
    const double waited_s = tries * pause_ms * 1e-3;
    if (waited_s >= patience.longest_s) return 0;
    if (tries % 10 == 0 && tries > 0 && patience.waiting && !patience.waiting(waited_s)) return 0;
    sqlite3_sleep(pause_ms);
    return 1;
}

}  // namespace

namespace {

// The wrapper closes what it could not open, and with it the reason is lost.
void check_that_it_opens(const std::filesystem::path& file, const std::string& name, int flags) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    const Failure failure{
        .code = handle != nullptr && code != SQLITE_OK ? sqlite3_extended_errcode(handle) : code,
        .system_error = handle != nullptr ? sqlite3_system_errno(handle) : ENOMEM,
        .words = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory"};
    sqlite3_close(handle);
    if (code != SQLITE_OK) fail(file, failure);
}

}  // namespace

Database::Database(std::filesystem::path file, Open how, const Patience& patience) {
    const std::string name = how == Open::immutable ? immutable_uri(file) : file.string();
    check_that_it_opens(file, name, open_flags(how));
    guarded(file, nullptr, [&] {
        SQLite::Database database(name, open_flags(how));
        state_ = std::make_unique<State>(State{file, patience, std::move(database)});
        sqlite3_busy_handler(state_->database.getHandle(), keep_waiting, &state_->patience);
    });
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;

const std::filesystem::path& Database::file() const {
    return state_->file;
}

Statement Database::prepare(std::string_view sql) const {
    sqlite3* handle = state_->database.getHandle();
    return guarded(file(), handle, [&] {
        return Statement(std::make_unique<Statement::State>(Statement::State{
            file(), handle, SQLite::Statement(state_->database, std::string(sql))}));
    });
}

void Database::run(std::string_view sql, std::initializer_list<Value> values) {
    prepare(sql).run(values);
}

std::int64_t Database::insert_returning_id(std::string_view sql,
                                           std::initializer_list<Value> values) {
    Statement row = prepare(sql);
    row.bind(values).step();
    return row.need_integer("id");
}

void Database::script(std::string_view sql) {
    guarded(file(), state_->database.getHandle(), [&] { state_->database.exec(std::string(sql)); });
}

std::int64_t Database::last_id() const {
    return state_->database.getLastInsertRowid();
}

int Database::changes() const {
    return sqlite3_changes(state_->database.getHandle());
}

// Changing the mode needs the file alone, and SQLite does not ask the busy handler for that.
void Database::use_wal() {
    for (int tries = 0;; ++tries) {
        try {
            script("pragma journal_mode = wal");
            return;
        } catch (const StoreError&) {
            const int code = sqlite3_errcode(state_->database.getHandle()) & 0xff;
            if (code != SQLITE_BUSY || keep_waiting(&state_->patience, tries) == 0) throw;
        }
    }
}

int Database::user_version() const {
    Statement statement = prepare("pragma user_version");
    statement.step();
    return static_cast<int>(statement.need_integer("user_version"));
}

void Database::copy_to(const std::filesystem::path& target) const {
    // A second connection: SQLite refuses to copy through the one that holds the write lock.
    guarded(target, nullptr, [&] {
        SQLite::Database source(file().string(), SQLite::OPEN_READONLY, 1000);
        SQLite::Database copy(target.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        SQLite::Backup backup(copy, source);
        backup.executeStep();
    });
}

Database::Snapshot::Snapshot(const Database& database) : database_(database) {
    database_.prepare("begin").run({});
}

Database::Snapshot::~Snapshot() {
    try {
        database_.prepare("rollback").run({});
    } catch (const std::exception&) {
        // SQLite ended it by itself when a read failed.
    }
}

Database::Transaction::Transaction(Database& database) : database_(database) {
    database_.script("begin immediate");
}

Database::Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.script("rollback");
    } catch (const std::exception&) {
        // SQLite rolled back by itself when the statement failed (disk full, I/O error).
    }
}

void Database::Transaction::commit() {
    database_.script("commit");
    open_ = false;
}

}  // namespace reports::store

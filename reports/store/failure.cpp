// SPDX-License-Identifier: Apache-2.0
#include "reports/store/failure.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

#include "engine/format/system_words.h"
#include "reports/store/store.h"

namespace reports::store {
namespace {

// SQLite has no code of its own for these; of its own codes some stand for one errno.
int true_error(const Failure& failure) {
    switch (failure.code & 0xff) {
        case SQLITE_FULL:
            return ENOSPC;
        case SQLITE_NOMEM:
            return ENOMEM;
        case SQLITE_IOERR:
            return failure.code == SQLITE_IOERR_NOMEM ? ENOMEM : failure.system_error;
        case SQLITE_CANTOPEN:
            return failure.system_error;
        default:
            return 0;  // whatever errno is, it is of something else
    }
}

// What to do where no errno says it.
const char* remedy(int code) {
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "another process is writing to it and did not end in time; nothing of this step "
                   "was kept. Wait for that process to end, or use --store for a store of your own";
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return "it may only be read; use --store DIR or $TARE_STORE for a folder you may write";
        case SQLITE_CANTOPEN:
            return "check that the folder exists and may be written, or use --store DIR";
        case SQLITE_NOTADB:
        case SQLITE_CORRUPT:
            return "it is damaged or not a store; nothing was changed. Move it away and run again, "
                   "or put back a tare.db.backup-v<N> from the same folder";
        case SQLITE_IOERR:
            return "reading or writing failed; check the disk";
        case SQLITE_TOOBIG:
            return "a value is larger than SQLite stores";
        case SQLITE_INTERRUPT:
            return "it was interrupted; run again";
        default:
            return "this is an error in tare, please report it";
    }
}

[[noreturn]] void throw_as(int error, const std::string& message) {
    if (error == ENOSPC) throw DiskFull(message);
    if (engine::format::is_lack(error)) throw MachineLacks(message);
    throw StoreError(message);
}

}  // namespace

void fail(const std::filesystem::path& file, const Failure& failure) {
    const int error = true_error(failure);
    std::string todo = remedy(failure.code);
    if (error != 0) todo = engine::format::system_words(error);
    if (engine::format::is_lack(error)) todo += "; the store is as it was before this step";
    if (error != 0 && !engine::format::is_lack(error))
        todo += ", or use --store DIR or $TARE_STORE for another folder";
    const bool of_io = (failure.code & 0xff) == SQLITE_IOERR;
    throw_as(of_io && error == 0 ? EIO : error,
             fmt::format("{}: {} (SQLite code {}): {}", file.string(), failure.words, failure.code,
                         todo));
}

void fail_by_system(const std::filesystem::path& file, const char* doing, int error) {
    throw_as(error, fmt::format("{}: cannot be {}: {}", file.string(), doing,
                                engine::format::system_words(error)));
}

}  // namespace reports::store

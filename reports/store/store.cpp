// SPDX-License-Identifier: Apache-2.0
// Store: opening, and deleting runs.
#include "reports/store/store.h"

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/leftovers.h"
#include "reports/store/migrate.h"

namespace reports {

namespace fs = std::filesystem;

Store::Store(fs::path folder, Access access, const Patience& patience) {
    store::Database database = store::open_database(folder, store::shipped_migrations(),
                                                    {.access = access, .patience = patience});
    // Views are of this program, not of the file: a reader of any file that this build opens has
    // its own. They need no space on the disk.
    database.script("pragma temp_store = memory");
    database.script(store::embedded("queries/views.sql"));
    impl_ = std::make_unique<Impl>(Impl{std::move(folder), std::move(database)});
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;

const fs::path& Store::folder() const {
    return impl_->folder;
}

fs::path Store::raw_folder(Id run) const {
    return folder() / "raw" / std::to_string(run);
}

int Store::schema_version() const {
    return impl_->database.user_version();
}

Store::Impl& Store::impl() const {
    return *impl_;
}

namespace {

void delete_rows(store::Database& database, std::string_view statement, Id run) {
    store::Database::Transaction transaction(database);
    database.run(statement, {run});
    transaction.commit();
}

// Returns the bytes freed.
std::int64_t delete_folder(const fs::path& folder) {
    const std::int64_t bytes = store::bytes_below(folder);
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return bytes;
    throw StoreError(folder.string() + ": cannot be removed (" + error.message() +
                     "); delete the folder by hand");
}

}  // namespace

std::int64_t Store::prune(const std::vector<Id>& runs, bool raw_only) {
    std::int64_t freed = 0;
    const auto statement = store::embedded(raw_only ? "store/statements/delete_raw_files.sql"
                                                    : "store/statements/delete_run.sql");
    for (const Id run : runs) {
        resolve_run(std::to_string(run));
        // Rows first: a raw file without a row is found by nobody, a row without its file misleads.
        // On a full disk there is no room to delete rows until files are gone.
        try {
            delete_rows(impl_->database, statement, run);
        } catch (const DiskFull&) {
            freed += delete_folder(raw_folder(run));
            delete_rows(impl_->database, statement, run);
        }
        freed += delete_folder(raw_folder(run));
    }
    return freed;
}

}  // namespace reports
